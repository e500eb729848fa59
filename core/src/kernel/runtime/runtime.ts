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

/** Causes of an error that are told, one of the other. */
const CAUSES = 5;

/**
 * A log that hears of an error only its name, message, code, stack and cause. Errors of libraries carry more: those of the AI SDK
 * hold the request, and with it what memories say.
 */
export function withBareErrors(logger: Logger): Logger {
  return {
    debug: (facts, message) => logger.debug(bareFacts(facts), message),
    info: (facts, message) => logger.info(bareFacts(facts), message),
    warn: (facts, message) => logger.warn(bareFacts(facts), message),
    error: (facts, message) => logger.error(bareFacts(facts), message),
  };
}

function bareFacts(facts: object): object {
  if (!('err' in facts) || typeof facts.err !== 'object' || facts.err === null) return facts;
  const { err } = facts;
  return { ...facts, err: err instanceof Error ? bareError(err) : 'something that is no Error was thrown' };
}

function bareError(error: Error, depth = 0): Error {
  const { name, message, stack, cause } = error;
  const bare = new Error(
    message,
    cause instanceof Error && depth < CAUSES ? { cause: bareError(cause, depth + 1) } : {},
  );
  Object.defineProperty(bare, 'name', { value: name });
  Object.defineProperty(bare, 'stack', { value: stack });
  return 'code' in error && typeof error.code === 'string' ? Object.assign(bare, { code: error.code }) : bare;
}
