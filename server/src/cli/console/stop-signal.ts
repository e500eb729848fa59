// npm forwards a Ctrl-C that the terminal has sent to this process too: two signals in this time count as one.
const SAME_SIGNAL_MS = 500;

/** As shells have it: 128 and the number of the signal. */
export const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
type StopSignal = keyof typeof EXIT_CODES;

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

/** Listens for SIGINT and SIGTERM. */
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
  const signals = Object.keys(EXIT_CODES) as StopSignal[];
  for (const signal of signals) source.on(signal, onSignal);
  return {
    /** Resolves at the first signal. */
    stopped,
    /** Ends listening. */
    off: () => {
      for (const signal of signals) source.off(signal, onSignal);
    },
  };
}
