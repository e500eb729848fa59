import type { AuditExportFormat } from '../features/audit-log/contract.ts';
import { streamAuditLog } from '../features/audit-log/export.ts';
import type { ExportFormat } from '../features/export/contract.ts';
import { streamExport } from '../features/export/export.ts';
import type { Moments } from '../features/export/snapshot.ts';
import type { FormatName } from '../features/import/contract.ts';
import { importUploaded } from '../features/import/import.ts';
import type { IncomingFile } from '../features/import/spool.ts';
import type { Context } from '../kernel/context/context.ts';
import type { AuditChain } from '../kernel/contract/audit-chains.ts';
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
    options?: {
      readonly format?: FormatName | undefined;
      readonly dryRun?: boolean;
      readonly userId?: string | undefined;
    },
  ): Promise<Output<'import'>>;
  /** The export document as text, however long it is; of all there is now, or of another moment. */
  export(
    format?: ExportFormat,
    options?: Moments & { readonly userId?: string | undefined },
  ): AsyncGenerator<string>;
  /** A chain of the audit log as text, oldest first: an array, or one entry a line. */
  exportAuditLog(format?: AuditExportFormat, chain?: AuditChain): AsyncGenerator<string>;
}

/** @param contextOf Makes the context of one call. */
export function createStreams(
  contextOf: (name: OperationName, parsed: object, userId?: string) => Promise<Context>,
): Streams {
  return {
    import: async (files, { format, dryRun = false, userId } = {}) => {
      const options = { format, dry_run: dryRun };
      return importUploaded(await contextOf('import', options, userId), files, options);
    },
    export: async function* (format = 'json', { userId, ...moments } = {}) {
      yield* streamExport(await contextOf('export', { format }, userId), format, moments);
    },
    exportAuditLog: async function* (format = 'json', chain = 'account') {
      yield* streamAuditLog(await contextOf('exportAuditLog', { format, chain }), { format, chain });
    },
  };
}
