import type { Operation } from '../engine/context.ts';
import { recordMoment } from '../moments/record.ts';
import { recordInjection } from '../stability/record.ts';
import { composeInjection } from './injection.ts';
import { isUnoriented, openSession } from './open-session.ts';

const REDACTED = '[redacted]';

/**
 * The text that restores the agent at the start of a session. Spec: GET /memories/boot.
 *
 * A real boot issues a session key and, the first time, stores the orientation guide; a preview changes nothing. What
 * a human or a read-only key asks for is always a preview: the session key is what tells the agent from its human.
 */
export const boot: Operation<'boot'> = async (context, input) => {
  const { preview, context_hint, max_characters } = input;
  const wishes = {
    ...(context_hint === undefined ? {} : { hint: context_hint }),
    ...(max_characters === undefined ? {} : { maxCharacters: max_characters }),
  };
  if (preview || context.actor.source === 'human' || context.actor.readOnly) {
    const unoriented = await context.read((tx) => isUnoriented(tx, context));
    const { coverage: _, ...seen } = await composeInjection(context, {
      kind: 'boot',
      sessionKey: REDACTED,
      ...wishes,
      ...(unoriented ? { orientation: 'preview' } : {}),
    });
    return seen;
  }
  const { sessionKey, first } = await openSession(context, 1);
  const { coverage, ...answer } = await composeInjection(context, {
    kind: 'boot',
    sessionKey,
    ...wishes,
    ...(first ? { orientation: 'stored' } : {}),
  });
  await recordInjection(context, 'boot', coverage);
  await recordMoment(context, {
    kind: 'boot',
    framework: input.framework,
    sessionId: input.session_id,
    characters: answer.injection.length,
    estimatedTokens: answer.estimated_tokens,
  });
  return answer;
};
