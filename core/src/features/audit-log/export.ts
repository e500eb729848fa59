import { NO_HASH } from '../../kernel/audit/schema.ts';
import type { Context, Operation, Services } from '../../kernel/context/context.ts';
import { invalid, SvcError } from '../../kernel/contract/errors.ts';
import type { AuditEntry, AuditExportFormat, auditLogRoutes, ChainOf } from './contract.ts';
import { requireChain } from './list.ts';
import { PAGE, readPage, toAuditEntry } from './read-entries.ts';

const MOST_ENTRIES = 100_000;

/**
 * A whole chain in memory, oldest first.
 *
 * @throws SvcError `PAYLOAD_TOO_LARGE` where it is too long to be held; `streamAuditLog` has no bound.
 */
export const exportAuditLog: Operation<typeof auditLogRoutes.exportAuditLog> = async (
  context,
  { chain, format },
) => {
  if (format !== 'json')
    throw invalid('format', 'must be json here; ndjson is a stream: GET /audit-log/export');
  requireChain(context, chain);
  const entries: AuditEntry[] = [];
  for await (const page of entryPages(context, { tenantId: context.agentId, chain })) {
    context.options.signal?.throwIfAborted();
    entries.push(...page);
    if (entries.length > MOST_ENTRIES) {
      throw new SvcError(
        'PAYLOAD_TOO_LARGE',
        'There is too much to hold at once. Use npx svc-memory audit export or GET /audit-log/export.',
      );
    }
  }
  return { entries };
};

/** The same as a stream of text: an array, or one entry a line. */
export async function* streamAuditLog(
  context: Context,
  { chain, format }: Pick<ChainOf, 'chain'> & { readonly format: AuditExportFormat },
): AsyncGenerator<string> {
  requireChain(context, chain);
  const isJson = format === 'json';
  let isFirst = true;
  if (isJson) yield '[';
  for await (const page of entryPages(context, { tenantId: context.agentId, chain })) {
    context.options.signal?.throwIfAborted();
    const lines = page.map((entry) => JSON.stringify(entry));
    yield isJson ? `${isFirst ? '' : ','}${lines.join(',')}` : lines.map((line) => `${line}\n`).join('');
    isFirst = false;
  }
  if (isJson) yield ']';
}

async function* entryPages(
  { database }: Pick<Services, 'database'>,
  of: ChainOf,
): AsyncGenerator<AuditEntry[]> {
  let last = { sequence: 0, hash: NO_HASH };
  for (;;) {
    const page = await readPage(database, of, last.sequence);
    if (page.length === 0) return;
    yield page.map((row) => {
      const entry = toAuditEntry(row, last.hash);
      last = row;
      return entry;
    });
    if (page.length < PAGE) return;
  }
}
