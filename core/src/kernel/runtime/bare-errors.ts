import type { Logger } from './runtime.ts';

/** Causes of an error that are told, one of the other. */
const CAUSES = 5;

/**
 * A log that hears of an error only its name, message, code, stack and cause. Errors of libraries carry more: those of the AI SDK hold
 * the request, and with it what memories say.
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
