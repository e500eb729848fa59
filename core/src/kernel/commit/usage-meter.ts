import type { SQLWrapper } from 'drizzle-orm';
import type { Event } from '../context/hooks.ts';
import type { Database, Rows } from '../database/database.ts';
import { createBatcher } from '../runtime/batcher.ts';
import { usageMonthOf } from '../tenancy/plans.ts';
import {
  type Commit,
  commitStatement,
  eventsOfEach,
  isUsageError,
  mergeCommits,
  tenantsOf,
} from './commit-statement.ts';

declare module '../context/context.ts' {
  interface Services {
    readonly usageMeter: UsageMeter;
  }
}

/** Counts uses that change nothing else, such as recalls. */
interface UsageMeter {
  /**
   * Counts a use and writes its events; resolves once that is committed. Uses of a tenant that come while another one commits are
   * counted together.
   *
   * @param query Makes a reading statement when it is sent, before the count; uses that are counted together share its rows.
   * @param onRows Called with these rows before the count is committed: it may still be refused.
   * @returns the events, those of the thresholds that were crossed included, and the rows of the query.
   * @throws the error by which the database refused the use: see `isUsageError`.
   */
  record(use: Commit, query?: () => SQLWrapper, onRows?: OnRows): Promise<Counted>;
  /**
   * Runs a query and counts its use in one round trip. While such a query of a tenant is under way, others of that tenant run
   * beside their counts, which are counted together: each commit locks the tenant's counter.
   *
   * @throws like `record`.
   */
  recordWithQuery(use: Commit, query: SQLWrapper, onRows?: OnRows): Promise<Counted>;
}

type OnRows = (rows: Rows) => void;

interface Counted {
  readonly happened: readonly Event[];
  readonly found: Rows;
}

interface Use {
  readonly commit: Commit;
  readonly query: (() => SQLWrapper) | undefined;
  readonly onRows: OnRows | undefined;
}

interface Outcome extends Counted {
  /** The error by which this use was refused. */
  readonly refused?: unknown;
}

/**
 * Each tenant has one counter, which is locked until it is committed: calls at once would wait for each other's commit in
 * a row. Those that come while one commits are counted together by the next.
 */
export function createUsageMeter(database: Database): UsageMeter {
  const count = async (uses: readonly Use[]): Promise<Outcome[]> => {
    const [first, ...others] = uses.map(({ commit }) => commit);
    if (!first) return [];
    try {
      const counting = commitStatement(mergeCommits(first, others));
      const query = uses.find((use) => use.query)?.query?.();
      // In this order, so that the counter is locked only while the answer is on its way.
      const statements = [query, counting].filter((statement) => statement !== undefined);
      const onRows = (rows: Rows) => {
        for (const use of uses) use.onRows?.(rows);
      };
      const results = await database.batch(tenantsOf(first), statements, query && onRows);
      const found = (query && results[0]) ?? [];
      const each = eventsOfEach(first, others, counting && results.at(-1));
      return each.map((happened) => ({ happened, found }));
    } catch (error) {
      if (!isUsageError(error)) throw error;
      if (others.length === 0) return [{ happened: [], found: [], refused: error }];
      // Some may still fit into the plan, so each is counted by itself.
      const outcomes: Outcome[] = [];
      for (const use of uses) outcomes.push(...(await count([use])));
      return outcomes;
    }
  };
  const countTogether = createBatcher<Use, Outcome>((_key, uses) => count(uses));
  const record: UsageMeter['record'] = async (commit, query, onRows) =>
    countedOf(await countTogether(keyOf(commit), { commit, query, onRows }));
  /** Tenants of which a query with its count is under way. */
  const querying = new Set<string>();
  return {
    record,
    recordWithQuery: async (commit, query, onRows) => {
      const { tenantId } = commit;
      if (querying.has(tenantId)) {
        const [{ happened }, [found = []]] = await Promise.all([
          record(commit),
          database.batch(tenantsOf(commit), [query], onRows),
        ]);
        return { happened, found };
      }
      querying.add(tenantId);
      try {
        const [outcome] = await count([{ commit, query: () => query, onRows }]);
        if (!outcome) throw new TypeError('each use has its outcome');
        return countedOf(outcome);
      } finally {
        querying.delete(tenantId);
      }
    },
  };
}

/** What uses must have in common to be counted together: how they are counted, and where they search. */
function keyOf({ tenantId, refuse, now, unverified, readsSpaces = [] }: Commit): string {
  const searched = readsSpaces.map(({ id }) => id).join();
  return `${tenantId} ${refuse} ${usageMonthOf(now)} ${unverified} ${searched}`;
}

/** @throws the error by which the use was refused. */
function countedOf({ refused, ...counted }: Outcome): Counted {
  if (refused !== undefined) throw refused;
  return counted;
}
