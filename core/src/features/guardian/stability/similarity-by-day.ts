import { and, desc, eq, sql } from 'drizzle-orm';
import type { Context } from '../../../kernel/context/context.ts';
import type { Tx } from '../../../kernel/database/database.ts';
import { uuids } from '../../../kernel/database/parameters.ts';
import { yieldToEventLoop } from '../../../kernel/runtime/event-loop.ts';
import { memoryVersions } from '../../records/schema.ts';
import { compareMeaning } from '../meaning/compare.ts';
import { loadProtected } from './protected.ts';

/** Former versions that are looked at. */
const MOST_VERSIONS = 1_000;

/** What a protected memory said from a moment on. */
interface State {
  readonly from: Date;
  readonly content: string;
}

/** A protected memory, with what it said, the newest first, and what it is measured against now. */
interface Protected {
  readonly states: readonly State[];
  readonly baseline: string;
}

/** The protected memories and their former versions. Not for a human from whom anything is withheld. */
export async function loadProtectedStates(tx: Tx, context: Context): Promise<Protected[]> {
  const found = await loadProtected(tx, context);
  const { memoryId, content, updatedAt, version, tenantId } = memoryVersions;
  const former = await tx
    .select({ memoryId, content, from: updatedAt })
    .from(memoryVersions)
    .where(
      and(
        eq(tenantId, context.tenantId),
        sql`${memoryId} = ANY(${uuids(found.map(({ id }) => id))})`,
        eq(memoryVersions.undone, false),
      ),
    )
    .orderBy(desc(updatedAt), desc(version))
    .limit(MOST_VERSIONS);
  return found.map((row) => ({
    baseline: row.baseline ?? row.content,
    states: [
      { from: row.updatedAt, content: row.content },
      ...former.filter(({ memoryId: id }) => id === row.id),
    ],
  }));
}

/**
 * Mean similarity of the protected memories at each moment to what they are measured against now; null where there were none.
 *
 * @param moments oldest first.
 */
export async function similaritiesAt(
  memories: readonly Protected[],
  moments: readonly Date[],
): Promise<(number | null)[]> {
  const known = new Map<string, number>();
  const similarity = async (baseline: string, content: string) => {
    if (baseline === content) return 1;
    const pair = JSON.stringify([baseline, content]);
    const found = known.get(pair) ?? 1 - compareMeaning(baseline, content).drift;
    known.set(pair, found);
    await yieldToEventLoop();
    return found;
  };
  const means: (number | null)[] = [];
  for (const moment of moments) {
    let sum = 0;
    let count = 0;
    for (const { baseline, states } of memories) {
      const state = states.find(({ from }) => from <= moment);
      if (!state) continue;
      sum += await similarity(baseline, state.content);
      count += 1;
    }
    means.push(count === 0 ? null : Math.round((1e4 * sum) / count) / 1e4);
  }
  return means;
}
