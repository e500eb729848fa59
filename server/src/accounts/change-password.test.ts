import { expect, it } from 'vitest';
import { PASSWORD, useAccounts } from './accounts.fixture.ts';

const test = useAccounts();

it('a human changes the password, and every other session of theirs ends', async () => {
  const { browser, email } = await test.signUp();
  const elsewhere = test.browser();
  await elsewhere.post('/auth/login', { email, password: PASSWORD });

  const wrong = await browser.post('/auth/password', {
    current_password: 'not this',
    password: 'a better password',
  });
  expect([wrong.status, wrong.body.error?.code]).toEqual([403, 'FORBIDDEN']);
  expect((await elsewhere.get('/status')).status).toBe(200);

  const kept = new Map(browser.cookies);
  const changed = await browser.post('/auth/password', {
    current_password: PASSWORD,
    password: 'a better password',
  });
  expect(changed.status).toBe(200);
  expect((await browser.get('/status')).status).toBe(200);
  expect((await elsewhere.get('/status')).status).toBe(401);
  for (const [name, value] of kept) browser.cookies.set(name, value);
  expect((await browser.get('/status')).status).toBe(401);

  const again = test.browser();
  expect((await again.post('/auth/login', { email, password: PASSWORD })).status).toBe(401);
  expect((await again.post('/auth/login', { email, password: 'a better password' })).status).toBe(200);
});

it('what a browser has open ends at once when its session does', async () => {
  const { browser } = await test.signUp();
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const stream = await fetch(`${test.url}/api/v1/events/stream`, { headers: { Cookie: cookie } });
  const ended = stream.text();
  await browser.post('/auth/logout');
  // Heartbeats would end it only after 15 seconds.
  expect(await ended).toContain('retry:');
});

it('nobody changes a password without a session', async () => {
  const body = { current_password: PASSWORD, password: 'a better password' };
  expect((await test.browser().post('/auth/password', body)).status).toBe(401);
});

it('a human calls their agent something else', async () => {
  const { browser } = await test.signUp();
  const { status, body } = await browser.patch('/tenant', { display_name: 'Grace' });
  expect([status, body.tenant.display_name]).toEqual([200, 'Grace']);
  expect((await browser.get('/agents')).body.agents[0].display_name).toBe('Grace');
  expect((await browser.patch('/tenant', { display_name: ' ' })).status).toBe(400);
});

it.each(['Ada\nGrace', '\u001b[31mAda', 'Ada\u202e'])(
  'an agent is called nothing that a terminal or a page would show otherwise: %j',
  async (display_name) => {
    const { browser } = await test.signUp();
    const answers = [
      await browser.patch('/tenant', { display_name }),
      await browser.post('/agents', { display_name }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body.error.details).toContainEqual({
        path: 'display_name',
        message: expect.stringMatching(
          /^must not contain (control characters|characters that cannot be seen)/,
        ),
      });
    }
  },
);
