import { type Operation, ofAgent } from '../../kernel/context/context.ts';
import { withoutUndefined } from '../../kernel/contract/settings.ts';
import { recordMoment } from '../compaction-log/record.ts';
import { recordInjection } from '../guardian/stability/record.ts';
import { REDACTED } from '../visibility/level.ts';
import { loadBootConfig } from './config.ts';
import type { bootRoutes } from './contract.ts';
import { type Composed, composeInjection, sessionShown } from './injection.ts';
import { isUnoriented, openSession } from './open-session.ts';

/**
 * The text that restores the agent at the start of a session.
 *
 * A real boot issues a session key and, the first time, stores the orientation guide; a preview changes nothing. A human
 * and a read-only key always get a preview, because the session key is what tells the agent from its human. A call with `as_of` or
 * `known_at` gets one, too, because it shows another time.
 */
export const boot: Operation<typeof bootRoutes.boot> = async (context, input) => {
  const { preview, context_hint, max_characters, max_bytes, as_of, known_at, explain } = input;
  const wishes = {
    ...{ kind: 'boot' as const, explain, hint: context_hint, asOf: as_of, knownAt: known_at },
    ...{ maxCharacters: max_characters, maxBytes: max_bytes },
  };
  const isFormer = as_of !== undefined || known_at !== undefined;
  if (preview || isFormer || context.actor.source === 'human' || context.actor.readOnly) {
    const { user } = context;
    const unoriented = !user && (await context.read((tx) => isUnoriented(tx, context)));
    return presented(
      await composeInjection(context, {
        ...wishes,
        sessionKey: user ? undefined : REDACTED,
        orientation: unoriented ? 'preview' : undefined,
      }),
    );
  }
  const opened = await openSession(context, 1);
  const composed = await composeInjection(context, { ...wishes, ...sessionShown(opened) });
  const answer = presented(composed);
  await recordInjection(ofAgent(context), 'boot', composed.coverage);
  // Nothing is stored for a user by a boot, nor of that user for the agent.
  if (context.user?.isNew) return answer;
  await recordMoment(context, {
    kind: 'boot',
    framework: input.framework,
    sessionId: input.session_id,
    characters: answer.injection.length,
    estimatedTokens: answer.estimated_tokens,
  });
  return answer;
};

/** What a boot would give with other sizes, and what each section takes of them; changes nothing. */
export const previewBoot: Operation<typeof bootRoutes.previewBoot> = async (context, changes) => {
  const { config, unoriented } = await context.read(async (tx) => ({
    config: { ...(await loadBootConfig(tx, context.tenantId)), ...withoutUndefined(changes) },
    unoriented: await isUnoriented(tx, context),
  }));
  const composed = await composeInjection(context, {
    kind: 'boot',
    sessionKey: REDACTED,
    config,
    orientation: unoriented ? 'preview' : undefined,
  });
  return { boot_config: config, ...presented(composed), sections: [...composed.sections] };
};

function presented({ injection, estimated_tokens, counts, explained }: Composed) {
  return { injection, estimated_tokens, counts, ...(explained && { explained }) };
}
