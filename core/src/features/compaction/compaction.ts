import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { type Context, type Operation, ofAgent, withFields } from '../../kernel/context/context.ts';
import type { ParsedOf } from '../../kernel/contract/route.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { UnwritableError } from '../../kernel/database/errors.ts';
import { lockName } from '../../kernel/database/lock-name.ts';
import { chunksOf, texts } from '../../kernel/database/parameters.ts';
import { lastErasure } from '../../kernel/tenancy/receipts.ts';
import { composeInjection, sessionShown } from '../boot/injection.ts';
import { openSession } from '../boot/open-session.ts';
import { recordMoment } from '../compaction-log/record.ts';
import { recordInjection } from '../guardian/stability/record.ts';
import { notifyStored, prepareMemories, storePrepared } from '../memory/store.ts';
import type { Stored } from '../records/contract.ts';
import { memories } from '../records/schema.ts';
import { requireFullView } from '../visibility/keys.ts';
import type { compactionRoutes } from './contract.ts';
import { keepTurns, readTranscript, type SpokenTurn } from './transcript.ts';

// One statement inserts so many rows at most: Postgres takes 65,535 parameters.
const ROWS_PER_INSERT = 500;
const HINT_CHARACTERS = 500;
const NOTHING = { injection: '', estimated_tokens: 0, coverage: null };

/**
 * Called around a compaction.
 *
 * Keeps the transcript's turns that are not kept yet, then answers with what restores the agent: the recovery text
 * with a new session key after a compaction, the ordinary injection before it, when the agent still has its key.
 */
export const compaction: Operation<typeof compactionRoutes.compaction> = async (context, asked) => {
  const input = await context.hooks.run('compaction:before', asked, context);
  const { phase, session_id, include_semantic, include_injection, flush, framework } = input;
  const { max_characters: maxCharacters, max_bytes: maxBytes } = input;
  const turns = await withoutForgotten(context, await turnsOf(input));
  const { count: stored_turns, unwritable } = await storeTurns(context, turns, session_id);
  const after = phase === 'post';
  const hint = hintOf(input, turns);
  const isAgent = context.actor.source !== 'human';
  // A write of its own, so that no session key gets into the answer kept for a replay.
  const opened = after && isAgent && include_injection ? await openSession(context, 0) : undefined;
  const isFlush = !after && flush === 'turn';
  // Of a compaction, what the injection covers is recorded even where nobody reads it.
  const composed =
    isFlush && !include_injection
      ? NOTHING
      : await composeInjection(readingOf(context), {
          kind: after ? 'recovery' : 'boot',
          semantic: include_semantic ?? true,
          ...{ sessionId: session_id, hint, maxCharacters, maxBytes },
          ...(opened && sessionShown(opened)),
          unwritable: opened?.unwritable ?? unwritable,
        });
  const { injection, estimated_tokens } = include_injection ? composed : NOTHING;
  // A flush between compactions says nothing of how the agent comes through them.
  if (isAgent && !isFlush) await recordInjection(ofAgent(context), phase, composed.coverage);
  if (isAgent) {
    await recordMoment(context.space ? ofAgent(context) : context, {
      kind: after ? 'recovery' : isFlush ? 'flush' : 'compaction',
      framework,
      sessionId: session_id,
      storedTurns: stored_turns,
      characters: injection.length,
      estimatedTokens: estimated_tokens,
    });
  }
  const metadata = { is_post_compaction: after, timestamp: context.now.toISOString(), stored_turns };
  const answer = { injection, estimated_tokens, metadata };
  await context.hooks.notify('compaction:after', answer, context);
  return answer;
};

/** What restores the agent is its own and, where the turns were kept in a space, what is there. */
function readingOf(context: Context): Context {
  const { space } = context;
  return space ? withFields(ofAgent(context), { readsSpaces: [space] }) : context;
}

async function turnsOf({
  transcript = [],
}: ParsedOf<typeof compactionRoutes.compaction>): Promise<readonly SpokenTurn[]> {
  return typeof transcript === 'string' ? readTranscript(transcript) : transcript;
}

/** The turns, but for those that waited at the caller while their user was forgotten: they would bring back what was erased. */
async function withoutForgotten(
  { agentId, user, now, read }: Context,
  turns: readonly SpokenTurn[],
): Promise<readonly SpokenTurn[]> {
  const longest = Math.max(0, ...turns.map(({ waited_ms = 0 }) => waited_ms));
  if (!user || longest === 0) return turns;
  const since = new Date(now.getTime() - longest);
  const erasedAt = await read((tx) => lastErasure(tx, agentId, user.id, since));
  if (!erasedAt) return turns;
  const ago = now.getTime() - erasedAt.getTime();
  return turns.filter(({ waited_ms = 0 }) => waited_ms <= ago);
}

/** What to recall for: the caller's hint, or what was said last where memories are wanted without one. */
function hintOf(
  { context_hint, include_semantic }: ParsedOf<typeof compactionRoutes.compaction>,
  turns: readonly SpokenTurn[],
) {
  if (include_semantic === false) return undefined;
  if (context_hint !== undefined || include_semantic === undefined) return context_hint;
  return turns.at(-1)?.content.slice(0, HINT_CHARACTERS).toWellFormed();
}

/**
 * Stores the turns that no memory keeps yet, all or none, and answers how many those were. Where the database can only be
 * read now, that fails unless there are none: the agent may then have its injection.
 */
async function storeTurns(
  context: Context,
  turns: readonly SpokenTurn[],
  sessionId: string | undefined,
): Promise<{ readonly count: number; readonly unwritable?: string }> {
  const kept = keepTurns(turns, sessionId, context.now);
  const keys = kept.flatMap((turn) => turn.flatMap(({ key }) => key ?? []));
  // The keys come from what was said: whether a turn is kept already would tell it.
  if (keys.length > 0) await requireFullView(context, 'transcript');
  const known = await context.read((tx) => knownKeys(tx, context, keys));
  const drafts = kept.flat().filter(({ key = '' }) => !known.has(key));
  const prepared = await prepareMemories(context, drafts);
  let results: Stored[] = [];
  const writing = context.write(
    async (tx) => {
      await lockName(tx, context.tenantId, `transcript:${sessionId ?? ''}`);
      if (turns.some(({ id }) => id !== undefined)) await lockName(tx, context.tenantId, 'transcript ids');
      const knownNow = await knownKeys(tx, context, keys);
      const fresh = prepared.filter(({ draft: { key = '' } }) => !knownNow.has(key));
      results = [];
      for (const some of chunksOf(fresh, ROWS_PER_INSERT)) {
        results.push(...(await storePrepared(tx, context, some, { source: 'webhook' })));
      }
      return kept.filter((turn) => turn.some(({ key = '' }) => !knownNow.has(key))).length;
    },
    // Others may have stored the same turns since they were looked for.
    { units: () => Math.max(1, results.length) },
  );
  try {
    const count = await writing;
    await notifyStored(context, results);
    return { count };
  } catch (error) {
    if (drafts.length > 0 || !(error instanceof UnwritableError)) throw error;
    return { count: 0, unwritable: error.reason };
  }
}

/** Which of these keys a memory has, an archived one too: a turn the agent forgot does not come back. */
async function knownKeys(
  tx: Tx,
  { tenantId }: Context,
  keys: readonly string[],
): Promise<Set<string | null>> {
  if (keys.length === 0) return new Set();
  const named = sql`${memories.key} = ANY(${texts(keys)})`;
  // Indexes memories_key and memories_archived.
  const found = await tx
    .select({ key: memories.key })
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, tenantId),
        or(and(isNull(memories.archivedAt), named), and(isNotNull(memories.archivedAt), named)),
      ),
    );
  return new Set(found.map(({ key }) => key));
}
