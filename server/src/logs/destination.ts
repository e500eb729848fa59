import type { DestinationStream } from 'pino';
import { LogWriter } from './log-writer.ts';

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
  const writer = new LogWriter(2);
  process.once('exit', () => writer.finish());
  let flushes = false;
  const flushSoon = () => {
    if (flushes) return;
    flushes = true;
    setTimeout(() => {
      flushes = false;
      writer.flush();
    }, WAIT_MS).unref();
  };
  const waiting = {
    // Asks pino to tell the level of each line.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      writer.add(line);
      if (waiting.lastLevel >= WARNING || writer.bytes >= ENOUGH_BYTES) writer.flush();
      else flushSoon();
    },
  };
  return waiting;
}
