import { SvcError } from '@svc-memory/core/contract';
import { humanOf } from '../access/credential.ts';
import type { AccountHandler } from './handler.ts';
import { callLibrary, libraryHeaders } from './library-call.ts';

const LONGEST_USER_AGENT = 512;

/** Lists where the human is signed in. GET /auth/sessions. */
export const sessions: AccountHandler<'sessions'> = async (dependencies, { request }) => {
  const headers = libraryHeaders(request);
  const [current, found] = await callLibrary(dependencies, (api) =>
    Promise.all([
      api.getSession({ headers, query: { disableRefresh: true } }),
      api.listSessions({ headers }),
    ]),
  );
  const lastUsed = found.toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
  return {
    sessions: lastUsed.map(({ id, userAgent, ipAddress, createdAt, updatedAt, expiresAt }) => ({
      id,
      user_agent: userAgent?.slice(0, LONGEST_USER_AGENT) || null,
      address: ipAddress || null,
      created_at: createdAt.toISOString(),
      last_used_at: updatedAt.toISOString(),
      expires_at: expiresAt.toISOString(),
      is_current: id === current?.session.id,
    })),
  };
};

/** Ends one session of the human. POST /auth/sessions/end. */
export const endSession: AccountHandler<'endSession'> = async (
  dependencies,
  { input, request, response },
) => {
  const headers = libraryHeaders(request);
  const found = await callLibrary(dependencies, (api) => api.listSessions({ headers }));
  const session = found.find(({ id }) => id === input.id);
  if (!session) throw new SvcError('NOT_FOUND', 'You have no such session. It may have ended already.');
  await callLibrary(dependencies, (api) => api.revokeSession({ body: { token: session.token }, headers }));
  const { id: userId } = humanOf(response).user;
  await dependencies.engine.accounts.audit(userId, 'session.ended', { session_id: input.id });
  dependencies.sessionsEnded(userId);
  return {};
};

/** Ends all sessions of the human but this one. POST /auth/sessions/end-others. */
export const endOtherSessions: AccountHandler<'endOtherSessions'> = async (dependencies, call) => {
  const headers = libraryHeaders(call.request);
  await callLibrary(dependencies, (api) => api.endOtherSessions({ headers }));
  const { id: userId } = humanOf(call.response).user;
  await dependencies.engine.accounts.audit(userId, 'session.ended', { sessions: 'all others' });
  dependencies.sessionsEnded(userId);
  return {};
};
