import type { Database } from '../database/database.ts';
import { monthOf } from '../usage/plans.ts';
import { inTurns } from './in-turns.ts';
import type { Event } from './plugins.ts';
import { happenedIn, isRefusal, type Settlement, settle } from './settle.ts';

/** Counts uses that change nothing else, such as a recall. */
export interface Uses {
  /**
   * Counts one and writes its events; done once that is committed.
   *
   * @returns what happened, the thresholds it crossed included.
   * @throws what the database refused it with: see `isRefusal`.
   */
  add(use: Settlement): Promise<readonly Event[]>;
}

interface Outcome {
  readonly happened: readonly Event[];
  /** What this one was refused with. */
  readonly refused?: unknown;
}

/**
 * Each tenant has one counter, which is locked until it is committed: calls at once would wait for each other's commit in
 * a row. Those that come while one commits are counted together by the next.
 */
export function createUses(database: Database): Uses {
  const count = async (uses: readonly Settlement[]): Promise<Outcome[]> => {
    const [first, ...others] = uses;
    if (!first) return [];
    try {
      const statement = settle({ ...first, units: sum(uses), events: uses.flatMap(({ events }) => events) });
      const [answered] = statement ? await database.batch(first.tenantId, [statement]) : [];
      // A threshold that all of them crossed together is told once.
      return [
        { happened: happenedIn(first, answered) },
        ...others.map(({ events }) => ({ happened: events })),
      ];
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (others.length === 0) return [{ happened: [], refused: error }];
      // Some may still fit into the plan: each has to be told its own.
      const outcomes: Outcome[] = [];
      for (const use of uses) outcomes.push(...(await count([use])));
      return outcomes;
    }
  };
  const add = inTurns<Settlement, Outcome>((_key, uses) => count(uses));
  return {
    add: async (use) => {
      // What is counted differently cannot go together.
      const { happened, refused } = await add(`${use.tenantId} ${use.refuse} ${monthOf(use.now)}`, use);
      if (refused !== undefined) throw refused;
      return happened;
    },
  };
}

function sum(uses: readonly Settlement[]): number {
  return uses.reduce((total, { units }) => total + units, 0);
}
