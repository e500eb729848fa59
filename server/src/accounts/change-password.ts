import type { AccountHandler } from './handler.ts';
import { callLibrary, forwardCookies, headersOf } from './library-call.ts';

/** Changes the password of who is signed in; the browser gets a new session, all others end. POST /auth/password. */
export const changePassword: AccountHandler<'changePassword'> = async (dependencies, call) => {
  const { input, request, response } = call;
  await dependencies.limits.attempt(request, response);
  const { headers } = await callLibrary(dependencies, (api) =>
    api.changePassword({
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
