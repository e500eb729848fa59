// npm forwards a Ctrl-C that the terminal has sent to this process too: two signals in this time count as one.
const SAME_SIGNAL_MS = 500;

/** As shells have it: 128 and the number of the signal. */
export const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143, SIGBREAK: 149 } as const;
type StopSignal = keyof typeof EXIT_CODES;

/**
 * What asks a program to stop. On Windows that is also Ctrl-Break, and closing the console (SIGHUP), which leaves it some seconds;
 * elsewhere a program that was started by `nohup` outlives its terminal.
 */
export const STOP_SIGNALS: readonly StopSignal[] = [
  'SIGINT',
  'SIGTERM',
  ...(process.platform === 'win32' ? (['SIGBREAK', 'SIGHUP'] as const) : []),
];

interface SignalSource {
  on(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
  off(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
}

interface StopOptions {
  readonly source: SignalSource;
  /** Milliseconds on a clock that only goes forward. */
  readonly now: () => number;
  /** Ends the process immediately: called for a second signal while the service stops. */
  readonly exit: (code: number) => void;
}

/** Listens for what asks this program to stop. */
export function listenForStop({ source, now, exit }: StopOptions) {
  let first: number | undefined;
  let stop: (signal: StopSignal) => void = () => {};
  const stopped = new Promise<StopSignal>((resolve) => {
    stop = resolve;
  });
  const onSignal = (signal: StopSignal) => {
    if (first === undefined) {
      first = now();
      stop(signal);
    } else if (now() - first > SAME_SIGNAL_MS) {
      exit(EXIT_CODES[signal]);
    }
  };
  for (const signal of STOP_SIGNALS) source.on(signal, onSignal);
  return {
    /** Resolves at the first signal. */
    stopped,
    /** Ends listening. */
    off: () => {
      for (const signal of STOP_SIGNALS) source.off(signal, onSignal);
    },
  };
}
