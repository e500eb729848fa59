import { expect, it } from 'vitest';
import { type Browser, PASSWORD, useAccounts } from './accounts.fixture.ts';

const test = useAccounts();

async function signInElsewhere(email: string, headers: Record<string, string> = {}): Promise<Browser> {
  const elsewhere = test.browser();
  expect((await elsewhere.post('/auth/login', { email, password: PASSWORD }, headers)).status).toBe(200);
  return elsewhere;
}

const sessionsOf = async (browser: Browser) => (await browser.get('/auth/sessions')).body.sessions;

/** Opens a live stream. */
async function openStream({ cookies }: Browser): Promise<Response> {
  const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
  const stream = await fetch(`${test.url}/api/v1/events/stream`, { headers: { Cookie: cookie } });
  expect(stream.status).toBe(200);
  return stream;
}

it('a human sees where they are signed in, and never a token', async () => {
  const { browser, email } = await test.signUp();
  await signInElsewhere(email, { 'User-Agent': `Firefox ${'x'.repeat(2_000)}` });
  const { body } = await browser.get('/auth/sessions');
  expect(body.sessions).toHaveLength(2);
  expect(body.sessions.filter(({ is_current }: { is_current: boolean }) => is_current)).toHaveLength(1);
  const other = body.sessions.find(({ is_current }: { is_current: boolean }) => !is_current);
  expect(other.user_agent).toMatch(/^Firefox x{504}$/);
  expect(other.address).toMatch(/127\.0\.0\.1|^$/);
  for (const [, cookie] of browser.cookies) {
    expect(JSON.stringify(body)).not.toContain(decodeURIComponent(cookie).split('.')[0]);
  }
});

it('a human signs one browser out, and its live stream ends at once', async () => {
  const { browser, email } = await test.signUp();
  const [elsewhere, third] = [await signInElsewhere(email), await signInElsewhere(email)];
  const stream = await openStream(elsewhere);
  const [{ id } = { id: '' }] = (await sessionsOf(elsewhere)).filter(
    ({ is_current }: { is_current: boolean }) => is_current,
  );
  expect((await browser.post('/auth/sessions/end', { id })).status).toBe(200);
  // Heartbeats would end it only after 15 seconds.
  expect(await stream.text()).toContain('retry:');
  expect((await elsewhere.get('/status')).status).toBe(401);
  expect((await third.get('/status')).status).toBe(200);
  expect((await browser.post('/auth/sessions/end', { id })).status).toBe(404);
  expect(await sessionsOf(browser)).toHaveLength(2);
});

it('a human signs all others out, however many they are, and stays signed in', async () => {
  const { browser, email, userId } = await test.signUp();
  const elsewhere = await signInElsewhere(email);
  await test.kit.engine.database.system((tx) =>
    tx.execute(`INSERT INTO user_sessions (id, user_id, token, expires_at, created_at, updated_at)
      SELECT gen_random_uuid(), '${userId}', 'old-' || n, now() - interval '1 day', now(), now()
      FROM generate_series(1, 150) n`),
  );
  const stream = await openStream(elsewhere);
  await browser.post('/auth/sessions/end-others');
  expect(await stream.text()).toContain('retry:');
  expect((await elsewhere.get('/status')).status).toBe(401);
  expect((await browser.get('/status')).status).toBe(200);
  expect(await sessionsOf(browser)).toHaveLength(1);
});

it("nobody sees or ends another human's sessions", async () => {
  const [own, foreign] = [await test.signUp(), await test.signUp()];
  const [{ id }] = await sessionsOf(foreign.browser);
  expect((await own.browser.post('/auth/sessions/end', { id })).status).toBe(404);
  await own.browser.post('/auth/sessions/end-others');
  expect((await foreign.browser.get('/status')).status).toBe(200);
  expect((await test.browser().get('/auth/sessions')).status).toBe(401);
  const bearer = { Authorization: `Bearer ${own.apiKey}` };
  expect((await test.browser().get('/auth/sessions', bearer)).status).toBe(403);
});
