import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';

/** Teaches the sign-in library to open a session for a user whom we know by other means. Not reachable by HTTP. */
export const sessionOpener = {
  id: 'session-opener',
  endpoints: {
    openSession: createAuthEndpoint(
      '/session-opener',
      { method: 'POST', body: z.object({ userId: z.string() }) },
      async (context) => {
        const { internalAdapter } = context.context;
        const user = await internalAdapter.findUserById(context.body.userId);
        if (!user) throw context.error('NOT_FOUND');
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(context, { session, user });
        return context.json({ user });
      },
    ),
  },
};
