import { type DestinationStream, destination } from 'pino';

/** Bytes of lines that wait for their reader at most; further ones are lost, lest a reader that has stopped stop the service. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Bytes of lines that are written at once. */
const ENOUGH_BYTES = 8 * 1024;
/** Milliseconds that a line waits for others. */
const WAIT_MS = 50;
/** Pino's number of the level. */
const WARNING = 40;

/**
 * Standard error, as the log's destination: standard output holds what is meant for people, the API key of the first start
 * among it.
 *
 * Lines wait a moment for others, as each write wakes a thread and whoever reads it, which costs a call more than making
 * its line. A warning or an error goes at once, with all before it; what still waits is written when the process ends.
 */
export function createLogDestination(): DestinationStream {
  const stream = destination({ dest: 2, sync: false, maxLength: MOST_BYTES, minLength: ENOUGH_BYTES });
  let flushes = false;
  const flushSoon = () => {
    if (flushes) return;
    flushes = true;
    setTimeout(() => {
      flushes = false;
      stream.flush();
    }, WAIT_MS).unref();
  };
  const waiting = {
    // Asks pino to tell the level of each line.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      stream.write(line);
      if (waiting.lastLevel >= WARNING) stream.flush();
      flushSoon();
    },
  };
  return waiting;
}
