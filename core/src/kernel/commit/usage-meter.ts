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
export interface UsageMeter {
  /**
   * Counts one and writes its events; done once that is committed.
   *
   * @param ask A reading statement to send along, made when it is sent; uses that are counted together share its answer.
   * @param early Told that answer before the count is committed, or refused.
   * @returns what happened, the thresholds it crossed included, and the rows of that statement.
   * @throws what the database refused it with: see `isRefusal`.
   */
  record(use: Commit, ask?: () => SQLWrapper, early?: Early): Promise<Counted>;
  /**
   * Counts one behind a search of its own, in one round trip. Where a tenant searches several times at once, only the first
   * goes so: the others are counted together, beside their searches.
   *
   * @throws likewise.
   */
  recordWithQuery(use: Commit, search: SQLWrapper, early?: Early): Promise<Counted>;
}

type Early = (rows: Rows) => void;

interface Counted {
  readonly happened: readonly Event[];
  readonly found: Rows;
}

interface Use {
  readonly settlement: Commit;
  readonly ask: (() => SQLWrapper) | undefined;
  readonly early: Early | undefined;
}

interface Outcome extends Counted {
  /** What this one was refused with. */
  readonly refused?: unknown;
}

/**
 * Each tenant has one counter, which is locked until it is committed: calls at once would wait for each other's commit in
 * a row. Those that come while one commits are counted together by the next.
 */
export function createUsageMeter(database: Database): UsageMeter {
  const count = async (uses: readonly Use[]): Promise<Outcome[]> => {
    const [first, ...others] = uses.map(({ settlement }) => settlement);
    if (!first) return [];
    try {
      const counting = commitStatement(mergeCommits(first, others));
      const asking = uses.find(({ ask }) => ask)?.ask?.();
      // In this order, so that the counter is locked only while the answer is on its way.
      const statements = [asking, counting].filter((statement) => statement !== undefined);
      const tell = (rows: Rows) => {
        for (const { early } of uses) early?.(rows);
      };
      const results = await database.batch(tenantsOf(first), statements, asking && tell);
      const found = (asking && results[0]) ?? [];
      const each = eventsOfEach(first, others, counting && results.at(-1));
      return each.map((happened) => ({ happened, found }));
    } catch (error) {
      if (!isUsageError(error)) throw error;
      if (others.length === 0) return [{ happened: [], found: [], refused: error }];
      // Some may still fit into the plan: each has to be told its own.
      const outcomes: Outcome[] = [];
      for (const use of uses) outcomes.push(...(await count([use])));
      return outcomes;
    }
  };
  const add = createBatcher<Use, Outcome>((_key, uses) => count(uses));
  const addOne: UsageMeter['record'] = async (settlement, ask, early) =>
    told(await add(keyOf(settlement), { settlement, ask, early }));
  /** Tenants with a search under way that is counted behind it. */
  const searching = new Set<string>();
  return {
    record: addOne,
    recordWithQuery: async (settlement, search, early) => {
      const { tenantId } = settlement;
      if (searching.has(tenantId)) {
        const [counted, [found = []]] = await Promise.all([
          addOne(settlement),
          database.batch(tenantsOf(settlement), [search], early),
        ]);
        return { happened: counted.happened, found };
      }
      searching.add(tenantId);
      try {
        const [outcome] = await count([{ settlement, ask: () => search, early }]);
        if (!outcome) throw new TypeError('each use has its outcome');
        return told(outcome);
      } finally {
        searching.delete(tenantId);
      }
    },
  };
}

/** What uses must have in common to be counted together: how they are counted, and where they search. */
function keyOf({ tenantId, refuse, now, unverified, readsSpaces = [] }: Commit): string {
  const searched = readsSpaces.map(({ id }) => id).join();
  return `${tenantId} ${refuse} ${usageMonthOf(now)} ${unverified} ${searched}`;
}

/** @throws what the use was refused with. */
function told({ refused, ...counted }: Outcome): Counted {
  if (refused !== undefined) throw refused;
  return counted;
}
