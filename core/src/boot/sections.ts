import { and, asc, desc, eq, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm';
import type { Category, MemoryType } from '../contract/fields.ts';
import type { Tx } from '../database/database.ts';
import { countByType } from '../memory/counts.ts';
import { presentImportanceOf } from '../memory/importance.ts';
import { memories } from '../memory/schema.ts';
import type { BootConfig } from './contract.ts';
import { addNote, type Loaded, loadByIds, loadEntries, loadPending, withoutCopies } from './load.ts';
import { ORIENTATION } from './orientation.ts';
import type { Entry, Section } from './section.ts';

/** What decides which memories an injection draws from. */
export interface Wanted {
  readonly tenantId: string;
  readonly now: Date;
  readonly config: BootConfig;
  /** The session whose latest turns come before other episodes. */
  readonly sessionId?: string;
  /** Ids of memories recalled for the caller's hint, best first. */
  readonly recalled: readonly string[];
  /** Whether "what you know" is wanted. */
  readonly semantic: boolean;
}

const OPERATING: Category[] = ['operations', 'tools', 'routine', 'accounts', 'reorient'];
// The cheapest entry costs about as many tokens.
const TOKENS_PER_ENTRY = 12;
const MOST_ENTRIES = 2_000;
// Each may be long and is loaded whole.
const MOST_IDENTITY = 100;
const MOST_TURNS = 200;
// Copies among the newest episodes should not eat up the places of others.
const SPARE_EPISODES = 60;
// Clients' clocks differ; an episode of next year is no recent one.
const CLOCK_SKEW_MS = 3_600_000;

/** The sections of an injection in their order, without the session, and the number of memories of each type. */
export async function loadSections(tx: Tx, wanted: Wanted) {
  const { tenantId, config } = wanted;
  const most = Math.min(MOST_ENTRIES, Math.ceil(config.token_budget / TOKENS_PER_ENTRY));
  const contentLength = config.truncate_at + 1;
  const newest = [desc(memories.importance), desc(memories.updatedAt), asc(memories.id)];
  const core = (categories: Category[]) =>
    and(eq(memories.type, 'core'), inArray(memories.category, categories));
  const identity = await loadEntries(tx, tenantId, {
    where: core(['soul', 'identity']),
    order: [desc(memories.category), desc(memories.importance), asc(memories.id)],
    most: Math.min(most, MOST_IDENTITY),
  });
  const relationship = await loadEntries(tx, tenantId, {
    where: core(['relationship']),
    order: newest,
    most,
    contentLength,
  });
  const operations = await loadEntries(tx, tenantId, {
    where: core(OPERATING),
    order: newest,
    most,
    contentLength: Math.max(contentLength, ORIENTATION.content.length),
  });
  const working = await loadEntries(tx, tenantId, {
    where: eq(memories.type, 'working'),
    order: newest,
    most,
    contentLength,
  });
  const conversation = await loadConversation(tx, wanted, Math.min(most, MOST_TURNS));
  const episodic = await loadEpisodes(tx, wanted);
  const counts = await countByType(tx, tenantId);
  const semantic = wanted.semantic ? await loadKnowledge(tx, wanted, most) : NONE;
  const pending = await loadPending(tx, tenantId);
  const noted = (entries: readonly Entry[]) =>
    entries.map((entry) =>
      pending.has(entry.memory?.id ?? '') ? addNote(entry, 'change pending with the Guardian') : entry,
    );

  const elsewhere = new Set(
    [identity, relationship, operations, working, conversation, episodic]
      .flatMap(({ entries }) => entries)
      .map(({ memory }) => memory?.id),
  );
  const recalled = (await loadByIds(tx, tenantId, wanted.recalled, contentLength)).filter(
    ({ memory }) => !elsewhere.has(memory?.id),
  );
  const recalledIds = new Set(recalled.map(({ memory }) => memory?.id));
  const known = semantic.entries.filter(({ memory }) => !recalledIds.has(memory?.id));

  const sections: Section[] = [
    section('identity', 'Who you are', {
      ...identity,
      entries: noted(identity.entries).map((entry) => ({ ...entry, whole: true })),
    }),
    section(
      'relationship',
      'Relationships',
      distinct({ ...relationship, entries: noted(relationship.entries) }),
    ),
    {
      ...section(
        'operations',
        'How you operate',
        distinct({ ...operations, entries: noted(operations.entries) }),
      ),
      weight: 2,
    },
    { ...section('working', 'Working memory', distinct(working)), weight: 3 },
    section('upcoming', 'Upcoming', NONE),
    { ...section('conversation', 'This session so far', reversed(conversation)), weight: 4, keep: 'last' },
    { ...section('episodic', 'Recent episodes', reversed(episodic)), weight: 3, keep: 'last' },
    {
      ...section(
        'semantic',
        'What you know',
        distinct({ entries: [...recalled, ...known], total: semantic.total }),
      ),
      weight: recalled.length > 0 ? 4 : 2,
    },
  ];
  return { sections, counts };
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

const byTime = [desc(memories.occurredAt), desc(memories.id)];

/** The latest turns of the session, newest first. */
function loadConversation(tx: Tx, { tenantId, sessionId, config }: Wanted, most: number): Promise<Loaded> {
  if (sessionId === undefined) return Promise.resolve(NONE);
  // Index memories_session.
  const where = and(eq(memories.sessionId, sessionId), eq(memories.type, 'episodic'));
  return loadEntries(tx, tenantId, { where, order: byTime, most, contentLength: config.truncate_at + 1 });
}

/** The newest episodes that lie in the past, copies left out, newest first. */
async function loadEpisodes(tx: Tx, { tenantId, sessionId, config, now }: Wanted): Promise<Loaded> {
  if (config.episodic_limit === 0) return NONE;
  // Index memories_type_time.
  const { entries, total } = await loadEntries(tx, tenantId, {
    where: and(
      eq(memories.type, 'episodic' satisfies MemoryType),
      lte(memories.occurredAt, new Date(now.getTime() + CLOCK_SKEW_MS)),
      sessionId === undefined ? undefined : or(isNull(memories.sessionId), ne(memories.sessionId, sessionId)),
    ),
    order: byTime,
    most: config.episodic_limit + SPARE_EPISODES,
    contentLength: config.truncate_at + 1,
  });
  const left = withoutCopies(entries);
  const copies = entries.length - left.length;
  return { entries: left.slice(0, config.episodic_limit), total: total - copies };
}

/**
 * The most important and newest semantic memories, without those a newer one contradicts. The agent's own, digests
 * and what others wrote take turns, so that a flood of imports, or of digests of what others said, leaves places.
 */
function loadKnowledge(tx: Tx, { tenantId, config, now }: Wanted, most: number): Promise<Loaded> {
  const best = sql`${presentImportanceOf(now)} DESC, ${memories.occurredAt} DESC, ${memories.id}`;
  const origin = sql`CASE WHEN ${memories.source} IN ('agent', 'human') THEN 0
    WHEN ${memories.source} = 'reflection' THEN 1 ELSE 2 END`;
  return loadEntries(tx, tenantId, {
    where: and(eq(memories.type, 'semantic'), isNull(memories.supersededBy)),
    order: [sql`row_number() OVER (PARTITION BY ${origin} ORDER BY ${best})`, origin],
    most,
    contentLength: config.truncate_at + 1,
  });
}
