import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { useServer } from '../../../test/kit/use-server.ts';

/** Whom the issuer says is signed in there. */
export interface Profile {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name?: string;
}

/** An OpenID Connect issuer on this machine, with one client, PKCE required, and codes that work once. */
export interface OidcIssuer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Opens a sign-in page as a browser would and consents; answers where the issuer sends the browser back to. */
  consent(redirectUrl: string, profile: Profile): Promise<URL>;
}

/** Starts an issuer for all tests of a file. */
export function useOidcIssuer(): OidcIssuer {
  const grants = new Map<string, { profile: Profile; challenge: string; redirectUri: string }>();
  const clientId = 'svc';
  const clientSecret = 'client-secret';
  let profile: Profile | undefined;
  const url = () => server.url;

  const server = useServer(
    createServer(async (request, response) => {
      const asked = new URL(request.url ?? '/', url());
      const json = (status: number, body: object) =>
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      if (asked.pathname === '/.well-known/openid-configuration') {
        json(200, {
          issuer: url(),
          authorization_endpoint: `${url()}/authorize`,
          token_endpoint: `${url()}/token`,
          userinfo_endpoint: `${url()}/userinfo`,
        });
      } else if (asked.pathname === '/authorize' && profile) {
        const redirectUri = asked.searchParams.get('redirect_uri') ?? '';
        const code = randomUUID();
        grants.set(code, { profile, challenge: asked.searchParams.get('code_challenge') ?? '', redirectUri });
        const back = new URL(redirectUri);
        back.searchParams.set('code', code);
        back.searchParams.set('state', asked.searchParams.get('state') ?? '');
        response.writeHead(302, { Location: back.href }).end();
      } else if (asked.pathname === '/token') {
        const form = new URLSearchParams(await bodyOf(request));
        const grant = grants.get(form.get('code') ?? '');
        grants.delete(form.get('code') ?? '');
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url');
        const known = form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
        if (!known || grant?.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri')) {
          json(400, { error: 'invalid_grant' });
        } else {
          const claims = { iss: url(), aud: clientId, ...grant.profile };
          const idToken = ['{"alg":"none"}', JSON.stringify(claims), ''].map((part) =>
            Buffer.from(part).toString('base64url'),
          );
          json(200, { access_token: randomUUID(), token_type: 'Bearer', id_token: idToken.join('.') });
        }
      } else json(404, {});
    }),
  );
  return {
    get url() {
      return url();
    },
    clientId,
    clientSecret,
    consent: async (redirectUrl, whom) => {
      profile = whom;
      const page = await fetch(redirectUrl, { redirect: 'manual' });
      return new URL(page.headers.get('location') ?? '');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}
