import { createHash } from 'node:crypto';
import { OAUTH_PROVIDERS, SvcError } from '@svc-memory/core/contract';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { isFromThisMachine } from '../access/host.ts';
import { searchParamsOf } from '../request/query.ts';
import { noteRoute } from '../routing/fallbacks.ts';
import type { AccountDependencies } from './handler.ts';
import { libraryHeaders } from './library-call.ts';
import { LOCAL_SIGN_IN_PATH, type LocalSignIn } from './local-owner.ts';
import { finishOAuth } from './oauth.ts';
import { CALLBACK_PATH } from './oauth-providers.ts';
import { startSession } from './session.ts';

const HOME = '/';

/**
 * Links that a browser opens, and that lead to the dashboard, signed in or with `?error=`: the confirmation of an
 * e-mail address, and the way back from an OAuth provider. Below `prefix`.
 */
export function linkRoutes(dependencies: AccountDependencies, prefix: string): Router {
  const { openAuth } = dependencies;
  const router = Router({ caseSensitive: true });

  browserLink(
    router,
    `${CALLBACK_PATH}/:provider`,
    `${prefix}${CALLBACK_PATH}/{provider}`,
    async (request, response) => {
      const provider = OAUTH_PROVIDERS.find((name) => name === request.params.provider);
      if (!provider) throw new SvcError('NOT_FOUND', 'There is no such sign-in provider.');
      const answer = await finishOAuth(dependencies, provider, request);
      const failure = new URL(
        answer.headers.get('location') ?? '?error=failed',
        'http://localhost',
      ).searchParams.get('error');
      if (failure === null) await startSession(openAuth, request, response, answer.headers);
      goHome(response, failure);
    },
  );

  browserLink(router, '/auth/verify', `${prefix}/auth/verify`, async (request, response) => {
    const token = queryOf(request, 'token');
    const { api } = await openAuth();
    const headers = await api
      .verifyEmail({ query: { token }, headers: libraryHeaders(request), returnHeaders: true })
      .then(
        ({ headers }) => headers,
        () => undefined,
      );
    if (headers && headers.getSetCookie().length > 0)
      await startSession(openAuth, request, response, headers);
    goHome(response, headers ? null : 'invalid_link');
  });
  return router;
}

/**
 * `/auth/local`: signs the owner of an embedded service in by a one-time link. One that is good anywhere travels by chat or mail,
 * whose programs open it for a preview: it shows a page, whose button signs in.
 */
export function localSignInRoute(dependencies: AccountDependencies, local: LocalSignIn): Router {
  const router = Router({ caseSensitive: true });
  browserLink(router, LOCAL_SIGN_IN_PATH, LOCAL_SIGN_IN_PATH, (request, response) => {
    if (local.goodAt(queryOf(request, 'token')) === 'anywhere') return sendSignInPage(response);
    return signOwnerIn(dependencies, local, request, response);
  });
  router.post(LOCAL_SIGN_IN_PATH, noteRoute(LOCAL_SIGN_IN_PATH), (request, response) =>
    signOwnerIn(dependencies, local, request, response),
  );
  return router;
}

async function signOwnerIn(
  { openAuth }: AccountDependencies,
  local: LocalSignIn,
  request: Request,
  response: Response,
): Promise<void> {
  const browser = request.accepts(['json', 'html']) === 'html';
  const token = queryOf(request, 'token');
  if (!isFromThisMachine(request) && local.goodAt(token) === 'this machine') {
    if (browser) return goHome(response, 'foreign_machine');
    throw new SvcError(
      'FORBIDDEN',
      'This link works on the machine of the service only. `npx svc-memory link --anywhere`, run there, makes one for others.',
    );
  }
  const userId = await local.redeem(token);
  if (userId === undefined) {
    if (browser) return goHome(response, 'used_link');
    throw new SvcError(
      'UNAUTHORIZED',
      'This link was used before or has expired. `npx svc-memory link` makes a new one.',
    );
  }
  const { api } = await openAuth();
  const { headers } = await api.openSession({
    body: { userId },
    headers: libraryHeaders(request),
    returnHeaders: true,
  });
  await startSession(openAuth, request, response, headers);
  goHome(response, null);
}

/** HEAD does nothing, and neither does what a browser loads ahead: mail scanners and address bars would use the link up. */
function browserLink(router: Router, path: string, template: string, open: RequestHandler): void {
  router.get(path, noteRoute(template), (request, response, next) => {
    if (request.method === 'HEAD') response.status(200).end();
    // A browser throws that away, and asks again once the human goes there.
    else if (/\bprefetch\b/.test(request.get('sec-purpose') ?? '')) response.status(204).end();
    else return open(request, response, next);
  });
}

function queryOf(request: Request, name: string): string {
  return searchParamsOf(request.originalUrl).get(name) ?? '';
}

/** The only place a link leads to, whatever it says: there is no open redirect. */
function goHome(response: Response, error: string | null): void {
  const code = error !== null && /^[\w']{1,64}$/.test(error) ? error : 'sign_in_failed';
  response.redirect(302, error === null ? HOME : `${HOME}?error=${code}`);
}

const STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:20vh auto 0;padding:0 1rem}
button{font:inherit;padding:.5rem 1.25rem}`;

// The form goes to the address of the page, whose query holds the token.
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sign in · Agent Memory Service</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>${STYLE}</style></head>
<body><main><h1>Agent Memory Service</h1>
<p>This link signs you in as the human of this service, once.</p>
<form method="post"><button type="submit">Sign in</button></form></main></body></html>`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Sends the page of a one-time link: whoever only looks at a link, as programs do for a preview, does not press its button. */
function sendSignInPage(response: Response): void {
  response.setHeader('Content-Security-Policy', POLICY).type('html').send(PAGE);
}
