import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../kernel/context/context.ts';
import { HOUR_MS } from '../../kernel/runtime/durations.ts';
import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { contentSourceOf, joinTags } from '../records/row.ts';
import type { MemoryRow } from '../records/schema.ts';
import { mayContradict } from '../supersession/compare-fact.ts';
import { judgeSame } from '../supersession/rules/judge-same.ts';
import type { LoadedEpisode } from './episodes.ts';
import { levelsForHuman } from './knowledge.ts';

/** In UTF-16 code units. Shorter texts are often said again and meant anew. */
const LEAST = 12;

/**
 * Whether a memory only says again what an older one says, which may stand for it: by the rules by which nothing new is stored, and
 * with nothing of its own that would be lost. What came from outside does not stand for what the agent or its human says.
 */
export function isCopy(older: MemoryRow, copy: MemoryRow): boolean {
  return (
    // Its author finds it by its key.
    copy.key === null &&
    copy.content.length >= LEAST &&
    mayContradict(contentSourceOf(older), contentSourceOf(copy)) &&
    isDeepStrictEqual(decidedBy(older), decidedBy(copy)) &&
    judgeSame(older.content, copy.content) === 'same'
  );
}

/** What makes two memories of the same words two. */
function decidedBy({ type, category, sessionId, validFrom, validTo, expiresAt, metadata }: MemoryRow) {
  return { type, category, sessionId, validFrom, validTo, expiresAt, metadata };
}

/** Said again so soon, it is the same thing stored twice. */
const COPY_WITHIN_MS = HOUR_MS;
/** Shorter episodes are said again and meant anew. */
const LEAST_OF_A_COPY = 40;

/** An episode, and one that only says it again. */
interface Copied {
  readonly older: MemoryRow;
  readonly copy: MemoryRow;
}

/**
 * Tells episodes that only repeat another from the rest.
 *
 * @returns the copies, and all others, with the tags and the importance that those take over which have a copy.
 */
export async function separateCopies(
  context: Context,
  loaded: readonly LoadedEpisode[],
  signal: AbortSignal,
): Promise<{ readonly firsts: readonly LoadedEpisode[]; readonly copies: readonly Copied[] }> {
  const ids = loaded.map(({ row }) => row.id);
  const level = await levelsForHuman(context, ids);
  const copies = new Map<string, MemoryRow>();
  const firsts: LoadedEpisode[] = [];
  for (const episode of loaded) {
    const { row } = episode;
    // Merged with a hidden episode, one that the human sees would be gone for them.
    const alike = firsts.filter((one) => level(one.row.id) === level(row.id));
    const older = await saidBefore(alike, row, signal);
    if (older && !copies.has(older.id) && joinTags(older.tags, row.tags)) copies.set(older.id, row);
    else firsts.push(episode);
  }
  return {
    firsts: firsts.map(({ row, ...rest }) => ({ ...rest, row: joined(row, copies.get(row.id)) })),
    copies: firsts.flatMap(({ row: older }) => {
      const copy = copies.get(older.id);
      return copy ? [{ older, copy }] : [];
    }),
  };
}

/** The last episode before one that says the same. */
async function saidBefore(
  before: readonly LoadedEpisode[],
  row: MemoryRow,
  signal: AbortSignal,
): Promise<MemoryRow | undefined> {
  if (row.content.length < LEAST_OF_A_COPY) return undefined;
  const earliest = row.occurredAt.getTime() - COPY_WITHIN_MS;
  for (const one of before.toReversed()) {
    if (one.row.occurredAt.getTime() < earliest) return undefined;
    // Two long texts that differ at their ends take a millisecond.
    await yieldToEventLoop();
    signal.throwIfAborted();
    if (isCopy(one.row, row)) return one.row;
  }
  return undefined;
}

/** An episode as it will be once its copy is merged with it. */
function joined(row: MemoryRow, copy: MemoryRow | undefined): MemoryRow {
  const tags = copy && joinTags(row.tags, copy.tags);
  return tags ? { ...row, tags, importance: Math.max(row.importance, copy.importance) } : row;
}
