import type { AccountHandler } from './handler.ts';
import { callLibrary, forwardCookies, headersOf } from './library-call.ts';

/** Changes the password of who is signed in; the browser gets a new session, all others end. POST /auth/password. */
export const changePassword: AccountHandler<'changePassword'> = async ({ engine, auth, limits }, call) => {
  const { input, request, response } = call;
  await limits.attempt(request, response);
  const { headers } = await callLibrary(engine, () =>
    auth.api.changePassword({
      body: {
        currentPassword: input.current_password,
        newPassword: input.password,
        revokeOtherSessions: true,
      },
      headers: headersOf(request),
      returnHeaders: true,
    }),
  );
  forwardCookies(headers, response);
  return {};
};
