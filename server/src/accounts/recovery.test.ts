import { describe, expect, it } from 'vitest';
import { type Browser, newEmail, PASSWORD, useAccounts } from './accounts.fixture.ts';
import { createPrintingMailer, createSmtpMailer } from './mail.ts';
import { useSmtpSink } from './smtp-sink.fixture.ts';

const sink = useSmtpSink();
const test = useAccounts(() => ({ mailer: createSmtpMailer(sink.url, 'http://localhost') }));
const printed: string[] = [];
const local = useAccounts(() => ({ mailer: createPrintingMailer((text) => printed.push(text)) }));
const silent = useAccounts();
const busy = useAccounts(() => ({
  mailer: createSmtpMailer(sink.url, 'http://localhost'),
  settings: { signInsPerMinute: 10 },
  now: () => 0,
}));

const NEW_PASSWORD = 'another horse battery';
const linkIn = (text: string) => new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? '');
const tokenIn = (text: string) => linkIn(text).hash.replace('#token=', '');
const mailed = async (email: string, subject: string) => (await sink.mailTo(email, subject)).text;

/** Signs up where addresses must be confirmed, and opens the link of the mail. */
async function confirmed(browser: Browser): Promise<string> {
  const email = newEmail();
  await browser.post('/auth/signup', { email, password: PASSWORD, display_name: 'Ada' });
  const link = linkIn(await mailed(email, 'Confirm'));
  await browser.get(link.pathname + link.search);
  return email;
}

describe('where mail is sent, signing up', () => {
  it('confirms the address by a link, which signs in and leads to the dashboard', async () => {
    const browser = test.browser();
    const email = newEmail();
    const asked = { email, password: PASSWORD, display_name: 'Ada' };
    const { status, body } = await browser.post('/auth/signup', asked);
    expect([status, body]).toEqual([202, { success: true, outcome: 'queued' }]);
    expect(browser.cookies.size).toBe(0);
    const login = await browser.post('/auth/login', { email, password: PASSWORD });
    expect([login.status, login.body.error.code]).toEqual([403, 'FORBIDDEN']);

    const link = linkIn(await mailed(email, 'Confirm'));
    expect(link.origin).toBe(test.url);
    const opened = await browser.get(link.pathname + link.search);
    expect([opened.status, opened.headers.get('location')]).toEqual([302, '/']);
    const session = await browser.get('/auth/session');
    expect(session.body).toMatchObject({
      user: { email, email_verified: true },
      agents: [{ display_name: 'Ada' }],
    });
  });

  it('sends the link again where the mail server puts it off', async () => {
    sink.putOff();
    const email = newEmail();
    await test.browser().post('/auth/signup', { email, password: PASSWORD, display_name: 'Ada' });
    expect(await mailed(email, 'Confirm')).toContain('/api/v1/auth/verify?token=');
  });

  it('sends the link again when asked', async () => {
    const browser = test.browser();
    const email = newEmail();
    await browser.post('/auth/signup', { email, password: PASSWORD, display_name: 'Ada' });
    await mailed(email, 'Confirm');
    const before = sink.mails.length;
    expect((await browser.post('/auth/verify', { email })).status).toBe(202);
    await expect.poll(() => sink.mails.length).toBe(before + 1);
  });

  it('a confirmation link opens a session once, and HEAD does not use it up', async () => {
    const browser = test.browser();
    const email = newEmail();
    await browser.post('/auth/signup', { email, password: PASSWORD, display_name: 'Ada' });
    const link = linkIn(await mailed(email, 'Confirm'));
    const head = await fetch(`${test.url}${link.pathname}${link.search}`, {
      method: 'HEAD',
      redirect: 'manual',
    });
    expect([head.status, head.headers.getSetCookie()]).toEqual([200, []]);
    await browser.get(link.pathname + link.search);
    expect(browser.cookies.size).toBe(1);
    const later = test.browser();
    expect((await later.get(link.pathname + link.search)).status).toBe(302);
    expect(later.cookies.size).toBe(0);
  });

  it('a forged confirmation link opens nothing', async () => {
    const browser = test.browser();
    const { status, headers } = await browser.get('/auth/verify?token=forged');
    expect([status, headers.get('location')]).toEqual([302, '/?error=invalid_link']);
    expect(browser.cookies.size).toBe(0);
  });
});

describe('a forgotten password', () => {
  it('is replaced by the link of a mail, once, and all sessions end', async () => {
    const browser = test.browser();
    const email = await confirmed(browser);
    const [agent] = (await browser.get('/auth/session')).body.agents;
    await test.browser().post('/auth/reset', { email });
    const text = await mailed(email, 'Choose');
    expect(linkIn(text).href).toMatch(`${test.url}/reset-password#token=`);
    const body = { token: tokenIn(text), password: NEW_PASSWORD };

    expect((await test.browser().post('/auth/reset/confirm', body)).status).toBe(200);
    expect((await browser.get('/auth/session')).status).toBe(401);
    const login = (password: string) => test.browser().post('/auth/login', { email, password });
    expect((await login(PASSWORD)).status).toBe(401);
    expect((await login(NEW_PASSWORD)).status).toBe(200);
    const { entries } = await test.kit.engine.agent(agent.id).auditLog({ act: 'password.changed' });
    expect(entries).toMatchObject([{ touched: { method: 'email_link' } }]);

    const again = await test.browser().post('/auth/reset/confirm', { ...body, password: PASSWORD });
    expect([again.status, again.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
    expect((await login(PASSWORD)).status).toBe(401);
  });

  it('whose link many use at once is replaced by one of them', async () => {
    const email = await confirmed(test.browser());
    await test.browser().post('/auth/reset', { email });
    const token = tokenIn(await mailed(email, 'Choose'));
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        test.browser().post('/auth/reset/confirm', { token, password: `${NEW_PASSWORD} ${index}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is not replaced by an expired link, and the database does not hold what a link needs', async () => {
    const email = await confirmed(test.browser());
    await test.browser().post('/auth/reset', { email });
    const token = tokenIn(await mailed(email, 'Choose'));
    const { accounts } = test.kit.engine.database;
    const stored = JSON.stringify(await accounts.execute('SELECT * FROM user_verifications'));
    expect(stored).not.toContain(token);
    await accounts.execute(`UPDATE user_verifications SET expires_at = now() - interval '1 millisecond'`);
    const { status } = await test.browser().post('/auth/reset/confirm', { token, password: NEW_PASSWORD });
    expect(status).toBe(401);
  });

  it('chosen anew also confirms the address, so that a stranger’s sign-up with it is worth nothing', async () => {
    const email = newEmail();
    await test.browser().post('/auth/signup', { email, password: PASSWORD, display_name: 'Stranger' });
    await test.browser().post('/auth/reset', { email });
    const token = tokenIn(await mailed(email, 'Choose'));
    await test.browser().post('/auth/reset/confirm', { token, password: NEW_PASSWORD });
    const login = (password: string) => test.browser().post('/auth/login', { email, password });
    expect((await login(PASSWORD)).status).toBe(401);
    expect((await login(NEW_PASSWORD)).status).toBe(200);
  });
});

describe('threat 9: a login attacker', () => {
  it('cannot tell from signing up, verification or reset who has an account', async () => {
    const known = await confirmed(test.browser());
    const ask = async (path: string, email: string) => {
      const body = path === '/auth/signup' ? { email, password: PASSWORD, display_name: 'Eve' } : { email };
      const { status, body: answer } = await test.browser().post(path, body);
      return [status, answer];
    };
    for (const path of ['/auth/signup', '/auth/verify', '/auth/reset']) {
      expect(await ask(path, known), path).toEqual(await ask(path, newEmail()));
    }
    expect(await mailed(known, 'You have an account already')).toContain('nobody was let in');
  });

  it('cannot fill an inbox: 5 mails, then one every 10 minutes', async () => {
    const email = newEmail();
    const ask = async (path: string, as = email) => {
      const body = path === '/auth/signup' ? { password: PASSWORD, display_name: 'Eve' } : {};
      return (await busy.browser().post(path, { email: as, ...body })).status;
    };
    const statuses: number[] = [];
    for (const path of ['/auth/signup', '/auth/verify', '/auth/reset', '/auth/reset', '/auth/reset'])
      statuses.push(await ask(path));
    expect(statuses).toEqual([202, 202, 202, 202, 202]);
    for (const path of ['/auth/signup', '/auth/verify', '/auth/reset'])
      expect(await ask(path, email.toUpperCase()), path).toBe(429);
  });

  it('finds no link in the log', async () => {
    const browser = test.browser();
    const email = await confirmed(browser);
    await browser.post('/auth/reset', { email });
    const token = tokenIn(await mailed(email, 'Choose'));
    expect(JSON.stringify(test.logged)).not.toContain(token);
    expect(JSON.stringify(test.logged)).not.toContain(email);
  });
});

describe('without a mail server', () => {
  it('the one who runs the service is shown the mail, and signing up does not wait for it', async () => {
    const { email } = await local.signUp();
    await local.browser().post('/auth/reset', { email });
    await expect.poll(() => printed.filter((text) => text.includes(email))).toHaveLength(2);
    expect(printed.at(-1)).toContain('SVC_SMTP_URL is not set');
    const token = tokenIn(printed.at(-1) ?? '');
    const { status } = await local.browser().post('/auth/reset/confirm', { token, password: NEW_PASSWORD });
    expect(status).toBe(200);
  });

  it('and without a console, reset and verification say that there is none', async () => {
    for (const path of ['/auth/reset', '/auth/verify']) {
      const { status, body } = await silent.browser().post(path, { email: newEmail() });
      expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    }
  });
});

describe('a distress signal', () => {
  it('is mailed to the human when it opens, once, without what the agent said', async () => {
    const browser = test.browser();
    const email = await confirmed(browser);
    const { body } = await browser.get('/auth/session');
    const agent = test.kit.engine.agent(body.agents[0].id);
    await agent.distress({ context: 'someone asks for my secrets' });
    const mail = await mailed(email, 'Your agent asks for help');
    expect(linkIn(mail).origin).toBe(test.url);
    expect(mail).not.toContain('secrets');
    await agent.distress({ context: 'still' });
    await browser.post('/auth/reset', { email });
    await mailed(email, 'Choose a new password');
    const about = sink.mails.filter(
      ({ to, subject }) => to.includes(email) && subject.includes('asks for help'),
    );
    expect(about).toHaveLength(1);
  });
});
