import { describe, expect, it } from 'vitest';
import { type Browser, newEmail, PASSWORD, useAccounts } from './accounts.fixture.ts';
import { createSmtpMailer } from './mail.ts';
import { type Profile, useOidcIssuer } from './oidc-issuer.fixture.ts';
import { useSmtpSink } from './smtp-sink.fixture.ts';

const HOME = 'http://localhost:3000';
const issuer = useOidcIssuer();
const sink = useSmtpSink();
const oidc = () => ({
  oidc: { clientId: issuer.clientId, clientSecret: issuer.clientSecret, issuer: issuer.url },
});
const test = useAccounts(() => ({ settings: { publicUrl: HOME, oauth: oidc() } }));
const closed = useAccounts(() => ({ settings: { publicUrl: HOME, oauth: oidc(), allowSignup: false } }));
const mailing = useAccounts(() => ({
  mailer: createSmtpMailer(sink.url, HOME),
  settings: { publicUrl: HOME, oauth: oidc() },
}));
const client = { clientId: 'id', clientSecret: 'secret' };
const known = useAccounts(() => ({
  settings: { publicUrl: HOME, oauth: { google: client, github: client } },
}));

let people = 0;
const newProfile = (email = newEmail()): Profile => ({
  sub: `subject-${++people}`,
  email,
  email_verified: true,
  name: 'Grace',
});

async function start(browser: Browser): Promise<string> {
  const { status, body } = await browser.post('/auth/signup', { provider: 'oidc' });
  expect([status, body.outcome]).toEqual([200, 'redirect']);
  return body.redirect_url;
}

/** Goes through a whole sign-in; answers where the browser ends up. */
async function signIn(browser: Browser, profile: Profile): Promise<string | null> {
  const back = await issuer.consent(await start(browser), profile);
  return (await browser.get(back.pathname + back.search)).headers.get('location');
}

describe('OAuth 2.0', () => {
  it('by an OpenID Connect issuer signs up, and later in', async () => {
    const profile = newProfile();
    const browser = test.browser();
    expect(await signIn(browser, profile)).toBe('/');
    const { body } = await browser.get('/auth/session');
    expect(body).toMatchObject({
      user: { email: profile.email, display_name: 'Grace', email_verified: true },
      agents: [{ display_name: 'Grace' }],
    });
    const later = test.browser();
    expect(await signIn(later, profile)).toBe('/');
    const again = await later.get('/auth/session');
    expect(again.body.user).toEqual(body.user);
    expect(again.body.agents).toEqual(body.agents);
    const stored = JSON.stringify(
      await test.kit.engine.database.accounts.execute('SELECT * FROM user_logins'),
    );
    expect(stored).toContain(profile.sub);
    expect(issuer.issued).not.toEqual([]);
    for (const token of issuer.issued) expect(stored).not.toContain(token);
  });

  it('by an issuer that tells no name still works', async () => {
    const { name: _, ...profile } = newProfile();
    const browser = test.browser();
    expect(await signIn(browser, profile)).toBe('/');
    expect((await browser.get('/auth/session')).body.agents[0].display_name).toBe(profile.email);
  });

  it('asks with PKCE and state, and sends the browser back to our own address only', async () => {
    const url = new URL(await start(test.browser()));
    expect(url.origin).toBe(issuer.url);
    expect(url.searchParams.get('redirect_uri')).toBe(`${HOME}/api/v1/auth/callback/oidc`);
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    expect(url.searchParams.get('state')).toMatch(/^[\w-]{32,}$/);
  });

  it.each(['google', 'github'])('by %s goes to %s', async (provider) => {
    const { status, body } = await known.browser().post('/auth/signup', { provider });
    const url = new URL(body.redirect_url);
    expect([status, url.protocol]).toEqual([200, 'https:']);
    expect(url.hostname).toMatch(`${provider}.com`);
    expect(url.searchParams.get('client_id')).toBe('id');
    expect(url.searchParams.get('redirect_uri')).toBe(`${HOME}/api/v1/auth/callback/${provider}`);
    expect(url.searchParams.get('state')).not.toBeNull();
  });

  it('by a provider that is not set up is refused', async () => {
    const { status, body } = await test.browser().post('/auth/signup', { provider: 'google' });
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    const callback = await test.browser().get('/auth/callback/google?code=x&state=y');
    expect(callback.headers.get('location')).toMatch(/^\/\?error=/);
    expect((await test.browser().get('/auth/callback/myspace')).status).toBe(404);
  });

  it('lets nobody new in where sign-up is closed', async () => {
    const browser = closed.browser();
    expect(await signIn(browser, newProfile())).toBe('/?error=signup_disabled');
    expect((await browser.get('/auth/session')).status).toBe(401);
  });

  it('is what the sign-in page is told of', async () => {
    expect((await known.browser().get('/auth/options')).body.providers).toEqual(['google', 'github']);
  });
});

describe('threat 8: a browser attacker', () => {
  it('cannot end a sign-in in another browser than it began in', async () => {
    const back = await issuer.consent(await start(test.browser()), newProfile());
    const victim = test.browser();
    const answer = await victim.get(back.pathname + back.search);
    expect(answer.headers.get('location')).toBe('/?error=state_mismatch');
    expect((await victim.get('/auth/session')).status).toBe(401);
  });

  it('cannot replay the way back', async () => {
    const browser = test.browser();
    const back = await issuer.consent(await start(browser), newProfile());
    const cookies = new Map(browser.cookies);
    await browser.get(back.pathname + back.search);
    const thief = test.browser();
    for (const [name, value] of cookies) thief.cookies.set(name, value);
    const { headers } = await thief.get(back.pathname + back.search);
    expect(headers.get('location')).toMatch(/^\/\?error=/);
    expect((await thief.get('/auth/session')).status).toBe(401);
  });

  it('cannot have the browser sent elsewhere afterwards (open redirect)', async () => {
    const evil = 'https://evil.example/';
    const browser = test.browser();
    for (const name of ['redirect_to', 'callbackURL', 'errorCallbackURL']) {
      const { status } = await browser.post('/auth/signup', { provider: 'oidc', [name]: evil });
      expect(status).toBe(400);
    }
    const back = await issuer.consent(await start(browser), newProfile());
    const more = `&callbackURL=${evil}&redirect=${evil}`;
    expect((await browser.get(back.pathname + back.search + more)).headers.get('location')).toBe('/');
    const paths = [
      `/auth/callback/oidc?error=${evil}&error_description=${evil}&state=x`,
      `/auth/callback/oidc?callbackURL=${evil}`,
      `/auth/verify?token=x&callbackURL=${evil}`,
    ];
    for (const path of paths) {
      const { status, headers } = await browser.get(path);
      expect(status).toBe(302);
      expect(headers.get('location')).toMatch(/^\/\?error=[\w']+$/);
    }
  });

  it('finds none of the sign-in library’s own paths', async () => {
    const browser = test.browser();
    for (const path of [
      '/auth/sign-up/email',
      '/auth/sign-in/email',
      '/auth/sign-in/social',
      '/auth/session-opener',
    ]) {
      expect((await browser.post(path, {})).status).toBe(401);
    }
    for (const path of ['/auth/get-session', '/auth/list-sessions', '/auth/ok', '/auth/error']) {
      expect((await browser.get(path)).status).toBe(401);
    }
  });
});

describe('threat 9: a login attacker', () => {
  it('who signed up with somebody’s unconfirmed address does not share the account of the real owner', async () => {
    const email = newEmail();
    const body = { email, password: PASSWORD, display_name: 'Attacker' };
    expect((await mailing.browser().post('/auth/signup', body)).status).toBe(202);
    const owner = mailing.browser();
    expect(await signIn(owner, newProfile(email))).toBe('/?error=account_not_linked');
    expect((await mailing.browser().post('/auth/login', { email, password: PASSWORD })).status).toBe(403);
  });

  it('whose issuer does not vouch for an address does not get the account that has it', async () => {
    const { email } = await test.signUp();
    const browser = test.browser();
    expect(await signIn(browser, { ...newProfile(email), email_verified: false })).toBe(
      '/?error=account_not_linked',
    );
    expect((await browser.get('/auth/session')).status).toBe(401);
  });
});
