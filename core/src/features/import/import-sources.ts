import type { GitSource, S3Source } from './contract.ts';
import type { IncomingFile } from './spool.ts';

declare module '../../kernel/context/context.ts' {
  interface Services {
    /** Absent where nothing is fetched over the network: a library, a test. */
    readonly importSources?: ImportSources;
  }
}

/** Fetches the files of an import from elsewhere; throws `SvcError` for what may not be fetched or does not answer. */
export interface ImportSources {
  git(source: GitSource, signal: AbortSignal): AsyncIterable<IncomingFile>;
  s3(source: S3Source, signal: AbortSignal): AsyncIterable<IncomingFile>;
}
