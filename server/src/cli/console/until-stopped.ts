import { CliError } from '../../control/cli-error.ts';
import { EXIT_CODES, listenForStop } from './stop-signal.ts';

/**
 * Does work that begins files, and has it end by itself when it is asked to stop: by default that ends the process where it is, and
 * what was begun stays.
 *
 * @param said What the person is told when it was stopped.
 * @param work Ends, and removes what it began, once its signal is aborted.
 * @throws CliError with the exit code of the signal, whatever the stopped work throws.
 */
export async function untilStopped<T>(said: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, off } = abortWhenStopped(said);
  try {
    return await work(signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    off();
  }
}

/** The same for what is read bit by bit. */
export async function* readUntilStopped<T>(
  said: string,
  open: (signal: AbortSignal) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const { signal, off } = abortWhenStopped(said);
  try {
    yield* open(signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    off();
  }
}

function abortWhenStopped(said: string) {
  const { stopped, off } = listenForStop({
    source: process,
    now: () => performance.now(),
    exit: (code) => process.exit(code),
  });
  const controller = new AbortController();
  void stopped.then((name) => controller.abort(new CliError(said, { exitCode: EXIT_CODES[name] })));
  return { signal: controller.signal, off };
}
