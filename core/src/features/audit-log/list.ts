import { and, desc, gte, inArray, lt, lte, sql } from 'drizzle-orm';
import { z } from 'zod';
import { NO_HASH, auditEntries as table } from '../../kernel/audit/schema.ts';
import type { Context, Operation } from '../../kernel/context/context.ts';
import type { AuditChain } from '../../kernel/contract/audit-chains.ts';
import { invalid, SvcError } from '../../kernel/contract/errors.ts';
import type { auditLogRoutes } from './contract.ts';
import { isOfChain, toAuditEntry } from './read-entries.ts';

const position = z.tuple([z.number().int().positive()]);

/** Shows the acts of a chain, newest first. */
export const auditLog: Operation<typeof auditLogRoutes.auditLog> = async (context, input) => {
  const { chain, act, since, until, limit, cursor } = input;
  requireChain(context, chain);
  const acts = act === undefined ? undefined : actsOf(context, act);
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  const { agentId: tenantId } = context;
  // Written out: the query builder would leave the table off its columns, which are then those of `former`.
  const previous = sql<string>`coalesce((SELECT former.hash FROM ${table} former
    WHERE former.tenant_id = audit_entries.tenant_id AND former.chain = audit_entries.chain
      AND former.sequence = audit_entries.sequence - 1), ${NO_HASH})`;
  const found = await context.read((tx) =>
    // The primary key; with acts, the index audit_entries_act.
    tx
      .select({ row: table, previous })
      .from(table)
      .where(
        and(
          isOfChain({ tenantId, chain }),
          acts && inArray(table.act, acts),
          since && gte(table.at, since),
          until && lte(table.at, until),
          before === undefined ? undefined : lt(table.sequence, before),
        ),
      )
      .orderBy(desc(table.sequence))
      .limit(limit + 1),
  );
  const entries = found.slice(0, limit).map((one) => toAuditEntry(one.row, one.previous));
  const last = found.length > limit ? entries.at(-1) : undefined;
  return { entries, next_cursor: last ? encodeCursor(last.sequence) : null };
};

/**
 * Acts on single memories are not for the human, from whom the agent may withhold that there are such memories.
 *
 * @throws SvcError `FORBIDDEN`
 */
export function requireChain({ actor }: Pick<Context, 'actor'>, chain: AuditChain): void {
  if (chain === 'account' || actor.source !== 'human') return;
  throw new SvcError('FORBIDDEN', 'The chain "agent" is for the agent, with its API key of scope full.');
}

/**
 * The acts that a filter means.
 *
 * @throws SvcError `VALIDATION_ERROR` for one that no act matches.
 */
function actsOf({ auditActs }: Pick<Context, 'auditActs'>, filter: string): string[] {
  const known = [...auditActs.keys()].sort();
  const group = filter.endsWith('.*') ? filter.slice(0, -1) : undefined;
  const acts = known.filter((act) => (group === undefined ? act === filter : act.startsWith(group)));
  if (acts.length === 0) {
    throw invalid('act', `must be a group such as "guardian.*", or one of ${known.join(', ')}`);
  }
  return acts;
}

function encodeCursor(sequence: number): string {
  return Buffer.from(JSON.stringify([sequence])).toString('base64url');
}

function decodeCursor(cursor: string): number {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))[0];
  } catch {
    throw invalid('cursor', 'is not a cursor of this list; start without one');
  }
}
