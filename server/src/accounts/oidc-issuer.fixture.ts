import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
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
  /** The access tokens that it has issued. */
  readonly issued: readonly string[];
  /** Opens a sign-in page as a browser would and consents; answers where the issuer sends the browser back to. */
  consent(redirectUrl: string, profile: Profile): Promise<URL>;
}

/** Starts an issuer for all tests of a file. */
export function useOidcIssuer(): OidcIssuer {
  const grants = new Map<string, { profile: Profile; challenge: string; redirectUri: string }>();
  const clientId = 'svc';
  const clientSecret = 'client-secret';
  const issued: string[] = [];
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
        const whom = redeem(new URLSearchParams(Buffer.concat(await request.toArray()).toString()));
        if (whom) {
          const token = randomUUID();
          issued.push(token);
          json(200, { access_token: token, token_type: 'Bearer', id_token: idTokenOf(whom) });
        } else json(400, { error: 'invalid_grant' });
      } else json(404, {});
    }),
  );
  /** Whom a code was given for, once, to the client that asked for it. */
  const redeem = (form: URLSearchParams): Profile | undefined => {
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const verifier = form.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const known = form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
    const isProven = grant?.challenge === challenge && grant.redirectUri === form.get('redirect_uri');
    return known && isProven ? grant.profile : undefined;
  };
  const idTokenOf = (whom: Profile) =>
    ['{"alg":"none"}', JSON.stringify({ iss: url(), aud: clientId, ...whom }), '']
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.');
  return {
    get url() {
      return url();
    },
    clientId,
    clientSecret,
    issued,
    consent: async (redirectUrl, whom) => {
      profile = whom;
      const page = await fetch(redirectUrl, { redirect: 'manual' });
      return new URL(page.headers.get('location') ?? '');
    },
  };
}
