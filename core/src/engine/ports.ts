import { v7 } from 'uuid';
import type { GitSource, S3Source } from '../import/contract.ts';
import type { IncomingFile } from '../import/spool.ts';

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

/** Fetches the files of an import from elsewhere; throws `SvcError` for what may not be fetched or does not answer. */
export interface ImportSources {
  git(source: GitSource, signal: AbortSignal): AsyncIterable<IncomingFile>;
  s3(source: S3Source, signal: AbortSignal): AsyncIterable<IncomingFile>;
}
