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
import { invalid } from '../kernel/contract/errors.ts';
import { ALL_USERS } from '../kernel/contract/fields.ts';
import type { OperationName, Output } from './contract.ts';

/** What one caller sends and gets as a stream: files of an import, an export, an audit log. */
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
      readonly dryRun?: boolean | undefined;
    } & Target,
  ): Promise<Output<'import'>>;
  /**
   * The export document as text, however long it is; of all there is now, or of another moment.
   *
   * @param options `userId`: a user, or `*` for the agent and all its users, as JSON only; `spaceId`: a space.
   */
  export(format?: ExportFormat, options?: Moments & Target): AsyncGenerator<string>;
  /** A chain of the audit log as text, oldest first: an array, or one entry a line. */
  exportAuditLog(format?: AuditExportFormat, chain?: AuditChain): AsyncGenerator<string>;
}

/** Whose memories a stream is of; default: the agent's own. */
interface Target {
  readonly userId?: string | undefined;
  readonly spaceId?: string | undefined;
}

/**
 * @param contextOf Makes the context of one call, and before it a user that is new, where the call says so.
 * @param contextsOfUsers Makes a context for each user of the agent.
 */
export function createStreams(
  contextOf: (
    name: OperationName,
    parsed: object,
    target?: Target & { readonly makesUser?: boolean },
  ) => Promise<Context>,
  contextsOfUsers: (name: OperationName, parsed: object) => Promise<readonly Context[]>,
): Streams {
  return {
    import: async (files, { format, dryRun = false, userId, spaceId } = {}) => {
      const options = { format, dry_run: dryRun };
      // The files come once: the call cannot begin again where another one makes the user meanwhile.
      const context = await contextOf('import', options, { userId, spaceId, makesUser: !dryRun });
      return importUploaded(context, files, options);
    },
    export: async function* (format = 'json', { userId, spaceId, ...moments } = {}) {
      const input = { format };
      if (userId === ALL_USERS && spaceId !== undefined) {
        throw invalid('space_id', 'a space has no users: leave out one of them');
      }
      const users = userId === ALL_USERS ? await contextsOfUsers('export', input) : undefined;
      const context = await contextOf('export', input, users ? {} : { userId, spaceId });
      yield* streamExport(context, format, moments, users);
    },
    exportAuditLog: async function* (format = 'json', chain = 'account') {
      yield* streamAuditLog(await contextOf('exportAuditLog', { format, chain }), { format, chain });
    },
  };
}
