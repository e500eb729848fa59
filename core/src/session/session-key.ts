import { SvcError } from '../contract/errors.ts';
import type { Context, Operation } from '../engine/context.ts';
import { issueSessionKey, SESSION_KEY_HOURS, verifySessionKey } from '../tenants/session-key.ts';

/** Makes a new session key. Design 5, POST /session-key. */
export const sessionKey: Operation<'sessionKey'> = (context) =>
  context.write(async (tx) => ({
    session_key: await issueSessionKey(tx, context),
    expires_at: new Date(context.now.getTime() + SESSION_KEY_HOURS * 3_600_000).toISOString(),
  }));

/** Refuses a call that does not carry the agent's current session key. Spec: Authentication, 4. */
export async function requireSessionKey(context: Context): Promise<void> {
  const secret = context.options.sessionKey;
  const valid = secret !== undefined && (await context.read((tx) => verifySessionKey(tx, context, secret)));
  if (valid && context.actor.source !== 'human') return;
  throw new SvcError(
    'FORBIDDEN',
    "This needs the agent's current session key in the X-Session-Key header; POST /session-key makes one.",
  );
}
