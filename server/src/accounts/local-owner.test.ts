import { beforeEach, describe, expect, it } from 'vitest';
import { useAccounts } from './accounts.fixture.ts';
import { createLocalSignIn, type LinkOptions, type LocalSignIn } from './local-owner.ts';

const OWNER = 'the owner';
// The service is one for all tests; what is behind it may have a clock of its own.
let current: LocalSignIn;
const test = useAccounts(() => ({
  localSignIn: {
    newLink: (options) => current.newLink(options),
    goodAt: (token) => current.goodAt(token),
    redeem: (token) => current.redeem(token),
  },
}));

beforeEach(() => useClock());

function useClock(now?: () => number) {
  current = createLocalSignIn(() => test.kit.engine.accounts.ensureLocalOwner(OWNER), now);
}

async function newLink(options?: LinkOptions) {
  await test.kit.tenant();
  return current.newLink(options);
}

describe('the one-time link of the owner', () => {
  it('signs in and leads to the dashboard', async () => {
    const browser = test.browser();
    const { status, headers } = await browser.get(await newLink());
    expect([status, headers.get('location')]).toEqual([302, '/']);
    const { body } = await browser.get('/auth/session');
    expect(body.user).toMatchObject({ display_name: OWNER, email_verified: true });
    expect((await browser.post('/api-keys', { name: 'laptop' })).status).toBe(201);
  });

  it('works once, and of many at once for one', async () => {
    const link = await newLink();
    const answers = await Promise.all(Array.from({ length: 5 }, () => test.browser().get(link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 401, 401, 401, 401]);
  });

  it('does not end another', async () => {
    const [first, second] = [await newLink(), await newLink()];
    expect((await test.browser().get(second)).status).toBe(302);
    expect((await test.browser().get(first)).status).toBe(302);
  });

  it('says in the dashboard why it opened nothing, to a browser', async () => {
    const html = { Accept: 'text/html,*/*;q=0.8' };
    const used = await test.browser().get('/auth/local?token=used', html);
    expect([used.status, used.headers.get('location')]).toEqual([302, '/?error=used_link']);
    const elsewhere = await test.browser().get(await newLink(), { ...html, 'X-Forwarded-For': '192.0.2.1' });
    expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([302, '/?error=foreign_machine']);
  });

  it('works for 15 minutes', async () => {
    const clock = { now: 0 };
    useClock(() => clock.now);
    const [first, second] = [await newLink(), await newLink()];
    clock.now = 15 * 60_000 - 1;
    expect((await test.browser().get(first)).status).toBe(302);
    clock.now += 1;
    expect((await test.browser().get(second)).status).toBe(401);
  });

  it.each(['', '?token=', '?token=wrong', '?token=__proto__'])(
    'without its token opens nothing: %j',
    async (query) => {
      const { status, body } = await test.browser().get(`/auth/local${query}`);
      expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
    },
  );

  it('is not taken through a proxy, and not used up by it', async () => {
    const link = await newLink();
    for (const header of ['X-Forwarded-For', 'Forwarded']) {
      const { status, body } = await test.browser().get(link, { [header]: 'for=127.0.0.1' });
      expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await test.browser().get(link)).status).toBe(302);
  });

  it('is taken from any machine where it was made for that, by the button of its page, once', async () => {
    const link = await newLink({ anywhere: true });
    const elsewhere = { 'X-Forwarded-For': '192.0.2.1' };
    // Programs that show a preview of a link, some of which ask for a page as a browser does.
    for (const Accept of ['*/*', 'text/html,*/*;q=0.8', 'application/json']) {
      const browser = test.browser();
      const { status, headers, body } = await browser.get(link, { ...elsewhere, Accept });
      expect([status, headers.getSetCookie(), headers.get('cache-control')]).toEqual([200, [], 'no-store']);
      expect(headers.get('content-security-policy')).toContain("form-action 'self'");
      expect(body).toContain('<form method="post"><button');
      expect(body).not.toContain(link.slice('/auth/local?token='.length));
    }
    const html = { ...elsewhere, Accept: 'text/html' };
    const { status, headers } = await test.browser().post(link, {}, html);
    expect([status, headers.get('location')]).toEqual([302, '/']);
    expect((await test.browser().post(link, {}, elsewhere)).status).toBe(401);
    expect((await test.browser().get(link, html)).headers.get('location')).toBe('/?error=used_link');
  });

  it('is not used up by HEAD or by what a browser loads ahead, and never in the log', async () => {
    const link = await newLink();
    await fetch(`${test.url}${link}`, { method: 'HEAD' });
    expect((await test.browser().get(link, { 'Sec-Purpose': 'prefetch;prerender' })).status).toBe(204);
    expect((await test.browser().get(link)).status).toBe(302);
    expect(JSON.stringify(test.logged)).not.toContain(link.slice('/auth/local?token='.length));
  });

  it('nobody can have by the address of the owner', async () => {
    const body = { email: 'owner@localhost', password: 'correct horse battery', display_name: 'Eve' };
    expect((await test.browser().post('/auth/signup', body)).status).toBe(400);
    expect((await test.browser().post('/auth/reset', { email: body.email })).status).toBe(400);
    const { email, password } = body;
    expect((await test.browser().post('/auth/login', { email, password })).status).toBe(401);
  });

  it('lets the owner set a first password, once, and sign in with it', async () => {
    const owner = test.browser();
    await owner.get(await newLink());
    expect((await owner.get('/auth/session')).body.has_password).toBe(false);
    const password = 'correct horse battery';
    expect((await owner.post('/auth/password', { password })).status).toBe(200);
    expect((await owner.get('/auth/session')).body.has_password).toBe(true);
    const again = await owner.post('/auth/password', { password: 'another horse battery' });
    expect([again.status, again.body.error.details]).toEqual([
      400,
      [{ path: 'current_password', message: 'is required' }],
    ]);
    const login = (wanted: string) =>
      test.browser().post('/auth/login', { email: 'owner@localhost', password: wanted });
    expect((await login('another horse battery')).status).toBe(401);
    const { status, body } = await login(password);
    expect([status, body.user.email]).toEqual([200, 'owner@localhost']);
  });
});
