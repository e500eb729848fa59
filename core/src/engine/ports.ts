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

export const systemClock: Clock = () => new Date();
export const uuidV7: Ids = () => v7();

const nothing = () => {};
/** For libraries' users who want no log. */
export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
