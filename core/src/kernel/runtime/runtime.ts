import { v7 } from 'uuid';

/** Tells the time; injected, so that tests move it instead of sleeping. */
export type Clock = () => Date;

/** Makes UUIDv7 ids: unique, and ordered by creation within a process. */
export type Ids = () => string;

/** Structured log; never given content or secrets. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

const ID_BYTES = 16;
const IDS_AHEAD = 256;

export const systemClock: Clock = () => new Date();
export const uuidV7: Ids = createIds();

/** UUIDv7 with random bytes for many at once: asking the system for each one's takes longer than all the rest of it. */
function createIds(): Ids {
  const pool = new Uint8Array(ID_BYTES * IDS_AHEAD);
  let used = pool.length;
  let msecs = 0;
  let seq = 0;
  return () => {
    if (used === pool.length) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    const random = pool.subarray(used, used + ID_BYTES);
    used += ID_BYTES;
    const now = Date.now();
    // Counted on within a millisecond, and when the clock steps back, so that their order is that of their making.
    if (now > msecs) {
      msecs = now;
      seq = new DataView(pool.buffer, random.byteOffset).getUint32(6) >>> 1;
    } else {
      seq = (seq + 1) | 0;
      if (seq === 0) msecs += 1;
    }
    return v7({ random, msecs, seq });
  };
}

const nothing = () => {};
/** For libraries' users who want no log. */
export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
