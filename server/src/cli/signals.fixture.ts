import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

/** What stops a command, and its exit code then. */
export const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** Sends a signal to a command once a file of this ending is in a folder, and waits for its end. */
export async function stopAt(
  child: ChildProcess,
  { folder, ending, signal }: { folder: string; ending: string; signal: NodeJS.Signals },
) {
  const said = child.stderr ? text(child.stderr) : '';
  for await (const { filename } of watch(folder)) if (filename?.endsWith(ending)) break;
  child.kill(signal);
  const [code] = await once(child, 'close');
  return { code, err: await said };
}
