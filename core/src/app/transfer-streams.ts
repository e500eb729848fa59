import type { ExportFormat } from '../features/export/contract.ts';
import { streamExport } from '../features/export/export.ts';
import type { Moments } from '../features/export/snapshot.ts';
import type { FormatName } from '../features/import/contract.ts';
import { importFiles } from '../features/import/import.ts';
import type { IncomingFile } from '../features/import/spool.ts';
import type { Context } from '../kernel/context/context.ts';
import type { OperationName, Output } from './contract.ts';

/** Imports and exports as streams, for one caller. */
export interface Streams {
  /**
   * Imports files as they come in, of up to 256 MiB together; otherwise like the operation `import`.
   *
   * @param options `format`: of all files; default: told from each.
   */
  import(
    files: AsyncIterable<IncomingFile>,
    options?: { readonly format?: FormatName | undefined; readonly dryRun?: boolean },
  ): Promise<Output<'import'>>;
  /** The export document as text, however long it is; of all there is now, or of another moment. */
  export(format?: ExportFormat, moments?: Moments): AsyncGenerator<string>;
}

/** @param contextOf Makes the context of one call. */
export function createStreams(contextOf: (name: OperationName, parsed: object) => Context): Streams {
  return {
    import: (files, { format, dryRun = false } = {}) => {
      const options = { format, dry_run: dryRun };
      return importFiles(contextOf('import', options), files, options);
    },
    export: (format = 'json', moments = {}) => streamExport(contextOf('export', { format }), format, moments),
  };
}
