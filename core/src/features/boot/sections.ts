import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, ne, not, or, type SQL, sql } from 'drizzle-orm';
import type { Category, MemoryType } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { HOUR_MS } from '../../kernel/runtime/durations.ts';
import { countByType } from '../memory/counts.ts';
import { memories } from '../records/schema.ts';
import { beginsBy, endsAfter, hasBegun, isNotSuperseded } from '../records/validity.ts';
import type { View } from '../visibility/view.ts';
import type { BootConfig } from './contract.ts';
import { withFormer } from './former.ts';
import { markDoubted } from './in-doubt.ts';
import {
  importantFirst,
  inTurns,
  isImportant,
  isRepeated,
  scoreByUse,
  scoreColumn,
  scoreOf,
} from './judgement.ts';
import {
  addNote,
  confirmedFirst,
  type Loaded,
  loadByIds,
  loadEntries,
  loadGuardianNotes,
  withoutCopies,
} from './load.ts';
import { loadDistinct } from './load-distinct.ts';
import { ORIENTATION, ORIENTATION_KEY, SHORTER_GUIDES } from './orientation.ts';
import type { Entry, Section } from './section.ts';

/** What decides which memories an injection draws from. */
interface Wanted {
  readonly tenantId: string;
  readonly view: View;
  readonly now: Date;
  /** The moment whose facts are wanted, `now` then too; undefined for those of now. */
  readonly asOf: Date | undefined;
  /** Whether the memories are those of another moment: the best of now tell nothing of them. */
  readonly isFormer: boolean;
  readonly config: BootConfig;
  /** The session whose latest turns come before other episodes. */
  readonly sessionId: string | undefined;
  /** Ids of memories recalled for the caller's hint, best first. */
  readonly recalled: readonly string[];
  /** Whether "what you know" is wanted. */
  readonly semantic: boolean;
  /** Whether other agents write here, too: how important their memories are, they say themselves. */
  readonly isShared: boolean;
}

const OPERATING: Category[] = ['operations', 'tools', 'routine', 'accounts', 'reorient'];
// The cheapest entry costs about as many tokens.
const TOKENS_PER_ENTRY = 12;
const MOST_ENTRIES = 2_000;
// Each may be long and is loaded in full.
const MOST_IDENTITY = 100;
const MOST_TURNS = 200;
// Loaded in addition, because copies among the newest episodes are left out.
const SPARE_EPISODES = 60;
// The best that are recalled for the hint are as important as anything.
const SURE = 3;
// Episodes that are shown for their importance, for each that is shown because it is new.
const BEST_PER_NEWEST = 2;
// Clients' clocks differ by so much at most; an episode dated later is no recent one.
const CLOCK_SKEW_MS = HOUR_MS;

/**
 * Loads the sections of an injection in their order, without the session, the number of memories of each type, and how many of the
 * core memories hold now.
 */
export async function loadSections(tx: Tx, wanted: Wanted) {
  const core = await loadCore(tx, wanted);
  const counts = await countByType(tx, wanted);
  const former = await countFormer(tx, wanted);
  const working = await loadDistinct(tx, wanted, {
    where: and(eq(memories.type, 'working'), holdsNow(wanted)),
    order: inTurns([desc(scoreByUse(wanted.now)), desc(memories.updatedAt), asc(memories.id)]),
    ...(wanted.isFormer ? {} : { contenders: 'working', total: counts.working - former.working }),
    ...limitsOf(wanted.config),
  });
  const conversation = await loadConversation(tx, wanted);
  const episodic = await loadEpisodes(tx, wanted, counts.episodic - conversation.total);
  const semantic = wanted.semantic
    ? await loadKnowledge(tx, wanted, counts.semantic - former.semantic)
    : NONE;
  const { identity, relationship, operations } = await withNotes(tx, wanted.tenantId, core);
  const elsewhere = idsOf([...Object.values(core), working, conversation, episodic]);
  const recalled = await loadRecalled(tx, wanted, elsewhere);
  const [state = NONE, known = NONE] = await markDoubted(
    tx,
    wanted,
    [distinct(working), distinct(recalledFirst(recalled, semantic))],
    holdsNow(wanted),
  );
  const wholeIdentity = {
    ...identity,
    entries: identity.entries.map((entry) => ({ ...entry, whole: true })),
  };
  const sections: Section[] = [
    section('identity', 'Who you are', wholeIdentity),
    section('relationship', 'Relationships', distinct(relationship)),
    { ...section('operations', 'How you operate', distinct(operations)), weight: 2 },
    { ...section('working', 'Working memory', await withFormer(tx, wanted, state)), weight: 3 },
    { ...section('conversation', 'This session so far', reversed(conversation)), weight: 4, keep: 'last' },
    { ...section('episodic', 'Recent episodes', inTimeOrder(episodic)), weight: 3, keep: 'last' },
    {
      ...section('semantic', 'What you know', await withFormer(tx, wanted, known)),
      weight: recalled.length > 0 ? 4 : 2,
    },
  ];
  return {
    sections: sections.map((one) => markImportant(one, wanted)),
    counts,
    coreInForce: counts.core - former.core,
  };
}

/** The three sections of core memories. */
interface CoreMemories {
  readonly identity: Loaded;
  readonly relationship: Loaded;
  readonly operations: Loaded;
}

async function loadCore(tx: Tx, wanted: Wanted): Promise<CoreMemories> {
  const { most, contentLength } = limitsOf(wanted.config);
  const inCategories = (categories: Category[]) =>
    and(eq(memories.type, 'core'), inArray(memories.category, categories), holdsNow(wanted));
  const identity = await loadEntries(tx, wanted, {
    where: inCategories(['soul', 'identity']),
    order: [confirmedFirst, desc(memories.category), desc(memories.importance), asc(memories.id)],
    most: Math.min(most, MOST_IDENTITY),
  });
  const relationship = await loadDistinct(tx, wanted, {
    where: inCategories(['relationship']),
    order: [confirmedFirst, ...lastChanged],
    most,
    contentLength,
  });
  const operations = await loadDistinct(tx, wanted, {
    where: inCategories(OPERATING),
    order: [confirmedFirst, ...lastChanged],
    most,
    contentLength: Math.max(contentLength, ORIENTATION.content.length),
  });
  return {
    identity,
    relationship,
    operations: { ...operations, entries: operations.entries.map(withShorterGuide) },
  };
}

/** Lets the guide shrink and stay, unless the agent has changed it. */
function withShorterGuide(entry: Entry): Entry {
  const isGuide = entry.memory?.key === ORIENTATION_KEY && entry.memory.content === ORIENTATION.content;
  return isGuide ? { ...entry, shorter: SHORTER_GUIDES, rank: -1 } : entry;
}

/** Adds the Guardian's notes to the entries they are about. */
async function withNotes(tx: Tx, tenantId: string, core: CoreMemories): Promise<CoreMemories> {
  const { identity, relationship, operations } = core;
  const all = [identity, relationship, operations].flatMap(({ entries }) => entries);
  const notes = await loadGuardianNotes(tx, tenantId, all);
  const annotate = ({ entries, total }: Loaded): Loaded => ({
    entries: entries.map((entry) => {
      const { note, unconfirmed = false } = notes.get(entry.memory?.id ?? '') ?? {};
      return note === undefined ? entry : { ...addNote(entry, note), unconfirmed };
    }),
    total,
  });
  return {
    identity: annotate(identity),
    relationship: annotate(relationship),
    operations: annotate(operations),
  };
}

/**
 * The memories recalled for the caller's hint that no other section has, best first. A recall also finds what has ended or begins
 * later, behind the rest.
 */
async function loadRecalled(tx: Tx, wanted: Wanted, elsewhere: ReadonlySet<string | undefined>) {
  const { contentLength } = limitsOf(wanted.config);
  const ids = wanted.recalled.filter((id) => !elsewhere.has(id));
  return loadByIds(tx, wanted, ids, { contentLength, where: holdsNow(wanted) });
}

function recalledFirst(recalled: readonly Entry[], { entries, total }: Loaded): Loaded {
  const ids = new Set(recalled.map(({ memory }) => memory?.id));
  return { entries: [...recalled, ...entries.filter(({ memory }) => !ids.has(memory?.id))], total };
}

function idsOf(parts: readonly Loaded[]): ReadonlySet<string | undefined> {
  return new Set(parts.flatMap(({ entries }) => entries).map(({ memory }) => memory?.id));
}

/** How many entries a section loads at most, and how many code points of each. */
function limitsOf({ token_budget, truncate_at }: BootConfig) {
  return {
    most: Math.min(MOST_ENTRIES, Math.ceil(token_budget / TOKENS_PER_ENTRY)),
    contentLength: truncate_at + 1,
  };
}

const NONE: Loaded = { entries: [], total: 0 };

function section(name: string, title: string, { entries, total }: Loaded): Section {
  const omitted = total - entries.length;
  return { name, title, entries, ...(omitted > 0 ? { omitted } : {}) };
}

function distinct({ entries, total }: Loaded): Loaded {
  const left = withoutCopies(entries);
  return { entries: left, total: total - (entries.length - left.length) };
}

function reversed({ entries, total }: Loaded): Loaded {
  return { entries: [...entries].reverse(), total };
}

/** Adds their scores to the entries that are important: for good, or for what the hint asks, whichever section has them. */
function markImportant(section: Section, { now, recalled, isShared }: Wanted): Section {
  const sure = new Set(recalled.slice(0, SURE));
  const entries = section.entries.map((entry): Entry => {
    const { memory, contentSource = memory?.source.kind } = entry;
    if (!memory || !contentSource) return entry;
    if (sure.has(memory.id)) return { ...entry, score: 1 };
    return !isShared && isImportant(memory, contentSource)
      ? { ...entry, score: scoreOf(memory, now) }
      : entry;
  });
  return { ...section, entries };
}

const byTime = [desc(memories.occurredAt), desc(memories.id)];
const lastChanged = inTurns([desc(memories.importance), desc(memories.updatedAt), asc(memories.id)]);

/** The latest turns of the session, newest first. */
function loadConversation(tx: Tx, wanted: Wanted): Promise<Loaded> {
  const { sessionId, config } = wanted;
  const { most, contentLength } = limitsOf(config);
  if (sessionId === undefined) return Promise.resolve(NONE);
  // Index memories_session.
  const where = and(eq(memories.sessionId, sessionId), eq(memories.type, 'episodic'));
  return loadEntries(tx, wanted, {
    where,
    order: byTime,
    inTime: true,
    most: Math.min(most, MOST_TURNS),
    contentLength,
  });
}

/**
 * Episodes that lie in the past, copies left out: the newest and the most important take turns, so that neither push the
 * others out. Where all are of the same importance, these are the newest.
 */
async function loadEpisodes(tx: Tx, wanted: Wanted, total: number): Promise<Loaded> {
  const { sessionId, config, now, asOf, view } = wanted;
  if (config.episodic_limit === 0) return NONE;
  // Index memories_type_time.
  const past = and(
    eq(memories.type, 'episodic' satisfies MemoryType),
    lte(memories.occurredAt, asOf ?? new Date(now.getTime() + CLOCK_SKEW_MS)),
    sessionId === undefined ? undefined : or(isNull(memories.sessionId), ne(memories.sessionId, sessionId)),
  );
  const sizes = { most: config.episodic_limit, contentLength: config.truncate_at + 1, total };
  const load = (where: SQL | undefined, order: SQL[], contenders?: 'episodic') =>
    loadDistinct(
      tx,
      wanted,
      { where, order, inTime: true, ...sizes, ...(contenders && { contenders }) },
      SPARE_EPISODES,
    );
  const newest = await load(past, byTime);
  // Being chosen for its importance would tell what redaction withholds.
  const best = await load(
    and(past, view.readable),
    importantFirst([desc(scoreColumn(now)), ...byTime]),
    wanted.isFormer ? undefined : 'episodic',
  );
  const { entries, total: left } = distinct({ ...newest, entries: alternate(newest.entries, best.entries) });
  const chosen = entries.slice(0, config.episodic_limit);
  return { entries: chosen.map((entry, rank) => ({ ...entry, rank })), total: left };
}

/** One of the newest and then some of the best, and so on, each memory once. */
function alternate(newest: readonly Entry[], best: readonly Entry[]): Entry[] {
  const all = new Map<string | undefined, Entry>();
  for (const [place, entry] of newest.entries()) {
    const next = best.slice(BEST_PER_NEWEST * place, BEST_PER_NEWEST * (place + 1));
    for (const one of [entry, ...next]) {
      if (!all.has(one.memory?.id)) all.set(one.memory?.id, one);
    }
  }
  return [...all.values()];
}

function inTimeOrder({ entries, total }: Loaded): Loaded {
  const placeOf = ({ memory }: Entry) => `${memory?.occurred_at} ${memory?.id}`;
  return { entries: [...entries].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)), total };
}

/** The most important and newest semantic memories, without those a newer one contradicts. */
function loadKnowledge(tx: Tx, wanted: Wanted, total: number): Promise<Loaded> {
  const { config, now } = wanted;
  return loadDistinct(tx, wanted, {
    where: and(eq(memories.type, 'semantic'), holdsNow(wanted)),
    order: inTurns([desc(scoreByUse(now)), desc(recency(now)), asc(memories.id)], isRepeated),
    ...(wanted.isFormer ? {} : { contenders: 'semantic', total }),
    ...limitsOf(config),
  });
}

/** When a memory happened; what is dated into the future, beyond what clocks differ by, counts as the oldest. */
function recency(now: Date): SQL {
  // Added by the database, which knows years behind 9999.
  const latest = sql`${timestamptz(now)} + ${CLOCK_SKEW_MS}::float8 * interval '1 millisecond'`;
  return sql`CASE WHEN ${memories.occurredAt} > ${latest} THEN '-infinity' ELSE ${memories.occurredAt} END`;
}

/** How many memories of each type do not hold now any more, or yet. */
async function countFormer(tx: Tx, wanted: Wanted): Promise<Readonly<Record<MemoryType, number>>> {
  const found = await tx
    .select({ type: memories.type, count: sql<number>`count(*)::int` })
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, wanted.tenantId),
        isNull(memories.archivedAt),
        or(isNotNull(memories.supersededBy), isNotNull(memories.validFrom), isNotNull(memories.validTo)),
        not(holdsNow(wanted)),
        wanted.view.known,
      ),
    )
    .groupBy(memories.type);
  const counts = { core: 0, working: 0, episodic: 0, semantic: 0 };
  for (const { type, count } of found) counts[type] = count;
  return counts;
}

/** Condition: it holds now, and no newer memory that the caller may read supersedes it. */
function holdsNow({ tenantId, view, now, asOf }: Wanted): SQL {
  const begun = asOf ? beginsBy(asOf) : hasBegun(now);
  return sql`${begun} AND ${endsAfter(now)} AND ${isNotSuperseded(tenantId, now, view.readable)}`;
}
