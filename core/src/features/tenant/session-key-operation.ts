import type { Context, Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { HOUR_MS } from '../../kernel/runtime/durations.ts';
import { issueSessionKey, SESSION_KEY_HOURS, verifySessionKey } from '../../kernel/tenancy/session-key.ts';
import type { sessionRoutes } from './contract.ts';

/** Makes a new session key. */
export const sessionKey: Operation<typeof sessionRoutes.sessionKey> = (context) =>
  context.write(async (tx) => ({
    session_key: await issueSessionKey(tx, context),
    expires_at: new Date(context.now.getTime() + SESSION_KEY_HOURS * HOUR_MS).toISOString(),
  }));

/** Refuses a call that does not carry the agent's current session key. */
export async function requireSessionKey(context: Context): Promise<void> {
  const secret = context.options.sessionKey;
  const valid = secret !== undefined && (await context.read((tx) => verifySessionKey(tx, context, secret)));
  if (valid && context.actor.source !== 'human') return;
  throw new SvcError(
    'FORBIDDEN',
    "This needs the agent's current session key: in the X-Session-Key header over REST (POST /session-key makes one), as session_key of a tool (svc_session_key makes one).",
  );
}
