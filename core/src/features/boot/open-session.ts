import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { type Context, ofAgent } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { UnwritableError } from '../../kernel/database/errors.ts';
import { sessionKeys } from '../../kernel/tenancy/schema.ts';
import { issueSessionKey } from '../../kernel/tenancy/session-key.ts';
import type { Prepared } from '../memory/insert.ts';
import { notifyStored, prepareMemories, storePrepared } from '../memory/store.ts';
import { memories, memoryVersions } from '../records/schema.ts';
import { viewOf } from '../visibility/view.ts';
import { ORIENTATION, ORIENTATION_KEY } from './orientation.ts';

/** A session that has just begun. */
export interface OpenedSession {
  /** Left out of a session with a user: the key changes what the agent shows its human, and there is one at a time. */
  readonly sessionKey?: string;
  /** True when this is the agent's first session: it has just been given the orientation guide. */
  readonly first: boolean;
  /** Why nothing of it could be stored: the injection is the agent's all the same. */
  readonly unwritable?: string;
}

/**
 * Begins a session: a new session key and, once in an agent's life, the orientation guide; with a user neither. Where the
 * database can only be read now, nothing of it: an agent that does not get its memory would be worse.
 *
 * @param units Operations this counts as.
 */
export async function openSession(context: Context, units: number): Promise<OpenedSession> {
  try {
    return await storeSession(context, units);
  } catch (error) {
    if (!(error instanceof UnwritableError)) throw error;
    context.logger.warn({ err: error }, 'a session began without a session key');
    return { first: false, unwritable: error.reason };
  }
}

async function storeSession(context: Context, units: number): Promise<OpenedSession> {
  if (context.user) {
    await context.write(async () => undefined, { units });
    return { first: false };
  }
  if (context.space) {
    // What is stored here goes to the space, and the guide is the agent's own: it comes with the next boot.
    let sessionKey = '';
    await context.write(
      async (tx) => {
        sessionKey = await issueSessionKey(tx, ofAgent(context));
      },
      { units },
    );
    return { sessionKey, first: false };
  }
  const guide = (await context.read((tx) => isUnoriented(tx, context))) ? await prepareGuide(context) : [];
  // Outside of what `write` answers: that may be kept for a replay, and a secret is not.
  let sessionKey = '';
  const stored = await context.write(
    async (tx) => {
      // Also makes concurrent first boots wait for each other: only one of them is the first below.
      sessionKey = await issueSessionKey(tx, context);
      if (!(await isFirstBoot(tx, context)) || (await hadGuide(tx, context))) return [];
      return storePrepared(tx, context, guide);
    },
    { units },
  );
  await notifyStored(context, stored);
  return { sessionKey, first: stored.length > 0 };
}

/** True until an agent's first session, unless it keeps a memory of its own under the guide's key. */
export async function isUnoriented(tx: Tx, context: Context): Promise<boolean> {
  const booted = await tx
    .select({ tenantId: sessionKeys.tenantId })
    .from(sessionKeys)
    .where(and(eq(sessionKeys.tenantId, context.tenantId), isNotNull(sessionKeys.firstBootAt)));
  return booted.length === 0 && !(await hadGuide(tx, context));
}

/** True once in an agent's life; needs the row that issuing a session key makes. */
async function isFirstBoot(tx: Tx, { tenantId, now }: Context): Promise<boolean> {
  const marked = await tx
    .update(sessionKeys)
    .set({ firstBootAt: now })
    .where(and(eq(sessionKeys.tenantId, tenantId), isNull(sessionKeys.firstBootAt)))
    .returning({ tenantId: sessionKeys.tenantId });
  return marked.length > 0;
}

/** True where a memory has or had the guide's key, archived ones included: the agent decided about it. */
async function hadGuide(tx: Tx, context: Context): Promise<boolean> {
  const { tenantId } = context;
  const view = await viewOf(tx, context);
  const current = await tx
    .select({ id: memories.id })
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), eq(memories.key, ORIENTATION_KEY), view.readable))
    .limit(1);
  if (current.length > 0) return true;
  // Whether a memory was once the guide, a human does not see while anything is withheld.
  if (!view.isFull) return false;
  const former = await tx
    .select({ id: memoryVersions.memoryId })
    .from(memoryVersions)
    .where(and(eq(memoryVersions.tenantId, tenantId), eq(memoryVersions.key, ORIENTATION_KEY)))
    .limit(1);
  return former.length > 0;
}

/** A plugin may refuse the guide; an agent that cannot boot would be worse. */
async function prepareGuide(context: Context): Promise<Prepared[]> {
  try {
    return await prepareMemories(context, [ORIENTATION]);
  } catch (error) {
    context.options.signal?.throwIfAborted();
    context.logger.warn({ err: error }, 'the orientation guide was refused');
    return [];
  }
}
