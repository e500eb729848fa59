import { describe, expect, it } from 'vitest';
import { type Answer, newEmail, PASSWORD, useAccounts } from './accounts.fixture.ts';

const test = useAccounts();
const clock = { now: 1_000_000 };
const limited = useAccounts(() => ({ settings: { signInsPerMinute: 3 }, now: () => clock.now }));

const expectRefused = ({ status, body }: Answer, expected: number, code: string) =>
  expect([status, body.error?.code]).toEqual([expected, code]);

describe('signing in', () => {
  it('with e-mail and password opens a session, and signing out ends it for good', async () => {
    const { email, userId } = await test.signUp();
    const browser = test.browser();
    const { status, body } = await browser.post('/auth/login', { email, password: PASSWORD });
    expect([status, body.user.id]).toEqual([200, userId]);
    expect((await browser.get('/status')).status).toBe(200);

    const kept = new Map(browser.cookies);
    expect((await browser.post('/auth/logout')).status).toBe(200);
    expect(browser.cookies.size).toBe(0);
    for (const [name, value] of kept) browser.cookies.set(name, value);
    expectRefused(await browser.get('/status'), 401, 'UNAUTHORIZED');
  });

  it('without a session there is none to show', async () => {
    expectRefused(await test.browser().get('/auth/session'), 401, 'UNAUTHORIZED');
    expect((await test.browser().post('/auth/logout')).status).toBe(200);
  });

  it('tells what a sign-in page may offer', async () => {
    const { body } = await test.browser().get('/auth/options');
    expect(body).toEqual({
      success: true,
      signup: true,
      providers: [],
      local_link: false,
      password: true,
      password_reset: false,
    });
  });

  it('a session that has ended is none', async () => {
    const { browser, userId } = await test.signUp();
    await test.kit.engine.database.accounts.execute(
      `UPDATE user_sessions SET expires_at = now() - interval '1 millisecond' WHERE user_id = '${userId}'`,
    );
    expectRefused(await browser.get('/status'), 401, 'UNAUTHORIZED');
  });

  it('a cookie that we did not sign is none', async () => {
    const { browser, userId } = await test.signUp();
    const [name = '', value = ''] = [...browser.cookies][0] ?? [];
    const [token = ''] = decodeURIComponent(value).split('.');
    const rows: unknown = await test.kit.engine.database.accounts.execute(
      `SELECT token FROM user_sessions WHERE user_id = '${userId}'`,
    );
    expect(JSON.stringify(rows)).toContain(token);
    for (const forged of [token, `${token}.`, `${token}.${btoa('x'.repeat(32))}`]) {
      browser.cookies.set(name, encodeURIComponent(forged));
      expectRefused(await browser.get('/status'), 401, 'UNAUTHORIZED');
    }
  });

  it.each(['svc.session_data', 'svc.session_data.0'])(
    'beside the cookie a malformed one of the library, %s, counts for nothing',
    async (name) => {
      const { browser } = await test.signUp();
      // `eyJzaWduYXR1cmUiOjF9` is `{"signature":1}`.
      for (const value of ['x', '%', '%00', '.', 'eyJzaWduYXR1cmUiOjF9', '']) {
        browser.cookies.set(name, value);
        const found = await Promise.all(
          ['/status', '/auth/session', '/auth/sessions'].map((path) => browser.get(path)),
        );
        expect([value, ...found.map(({ status }) => status)]).toEqual([value, 200, 200, 200]);
      }
      expect((await browser.post('/auth/logout')).status).toBe(200);
      expectRefused(await browser.get('/status'), 401, 'UNAUTHORIZED');
    },
  );

  it('beside a bearer key the cookie counts for nothing', async () => {
    const { browser, tenantId } = await test.signUp();
    const key = await test.kit.engine.apiKeys.create(tenantId, { name: 'reader', scope: 'read' });
    const reader = { Authorization: `Bearer ${key.secret}` };
    expect((await browser.get('/status', reader)).status).toBe(200);
    expectRefused(await browser.get('/api-keys', reader), 403, 'FORBIDDEN');
    expectRefused(await browser.get('/auth/session', reader), 403, 'FORBIDDEN');
    expectRefused(await browser.get('/status', { Authorization: 'Bearer svc_wrong' }), 401, 'UNAUTHORIZED');
  });
});

describe('threat 9: a login attacker', () => {
  it('learns nothing about who has an account: the answers are the same', async () => {
    const { email } = await test.signUp();
    const attempt = async (address: string) => {
      const headers = { 'X-Request-Id': 'same' };
      const { status, body } = await test
        .browser()
        .post('/auth/login', { email: address, password: 'wrong password' }, headers);
      return [status, body];
    };
    const known = await attempt(email);
    expect(known[0]).toBe(401);
    expect(await attempt(newEmail())).toEqual(known);
  });

  it('learns nothing from the time either: a password is hashed in both cases', async () => {
    const { email } = await test.signUp();
    // Work of the processor, which other work on the machine does not lengthen as it does the time.
    const leastWork = async (address: () => string) => {
      const works: number[] = [];
      for (let index = 0; index < 5; index += 1) {
        const start = process.cpuUsage();
        await test.browser().post('/auth/login', { email: address(), password: 'wrong password' });
        works.push(process.cpuUsage(start).user);
      }
      return Math.min(...works);
    };
    const [known, unknown] = [await leastWork(() => email), await leastWork(newEmail)];
    expect(unknown / known).toBeGreaterThan(0.5);
    expect(unknown / known).toBeLessThan(2);
  });

  it('guesses 3 passwords a minute of one account, also one that does not exist', async () => {
    for (const email of [newEmail(), newEmail()]) {
      const attempt = (as = email) =>
        limited.browser().post('/auth/login', { email: as, password: 'wrong password' });
      for (let index = 0; index < 3; index += 1) expectRefused(await attempt(), 401, 'UNAUTHORIZED');
      const { status, body, headers } = await attempt(email.toUpperCase());
      expect([status, body.error.code, headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '20']);
      clock.now += 20_000;
      expectRefused(await attempt(), 401, 'UNAUTHORIZED');
      clock.now += 600_000;
    }
  });

  it('tries 9 accounts a minute from one address, by whatever door', async () => {
    const { browser } = await limited.signUp();
    const attempt = () =>
      limited.browser().post('/auth/login', { email: newEmail(), password: 'wrong password' });
    for (let index = 1; index < 9; index += 1) expectRefused(await attempt(), 401, 'UNAUTHORIZED');
    expectRefused(await attempt(), 429, 'RATE_LIMITED');
    for (const [path, body] of [
      ['/auth/signup', { email: newEmail(), password: PASSWORD, display_name: 'Eve' }],
      ['/auth/wallet', { address: `0x${'a'.repeat(40)}` }],
      ['/auth/reset/confirm', { token: 'guessed', password: PASSWORD }],
      ['/auth/password', { current_password: 'wrong password', password: PASSWORD }],
    ] as const) {
      expectRefused(await browser.post(path, body), 429, 'RATE_LIMITED');
    }
    clock.now += 600_000;
  });

  it('never sees a password, a hash or a session token in the log', async () => {
    const { browser, email } = await test.signUp();
    await test.browser().post('/auth/login', { email, password: 'wrong password' });
    const log = JSON.stringify(test.logged);
    const [cookie = ''] = browser.cookies.values();
    for (const secret of [
      PASSWORD,
      'wrong password',
      email,
      decodeURIComponent(cookie).split('.')[0] ?? '',
    ]) {
      expect(log).not.toContain(secret);
    }
  });
});
