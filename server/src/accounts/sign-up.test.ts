import { describe, expect, it } from 'vitest';
import { type Answer, newEmail, PASSWORD, useAccounts } from './accounts.fixture.ts';

const test = useAccounts();
const body = () => ({ email: newEmail(), password: PASSWORD, display_name: 'Ada' });

describe('with another plan for who signs up', () => {
  const service = useAccounts(() => ({}), { settings: { signUpPlan: 'standard' } });

  it('humans and wallets begin on it, and no trial ends', async () => {
    const { browser } = await service.signUp();
    const { body: answer } = await browser.post('/agents', { display_name: 'Second' });
    expect(answer.agent).toEqual({ id: expect.any(String), display_name: 'Second', plan: 'standard' });
    expect((await browser.get('/agents')).body.agents).toMatchObject([{ plan: 'standard' }, answer.agent]);
    const { tenant } = await service.kit.engine.wallets.signIn(`0x${'b'.repeat(40)}`, true);
    expect(tenant).toMatchObject({ plan: 'standard', trialExpiresAt: null });
  });
});

describe('signing up', () => {
  it('makes a user, an agent and its API key, and signs in', async () => {
    const browser = test.browser();
    const asked = body();
    const { status, body: answer } = await browser.post('/auth/signup', asked);
    expect(status).toBe(201);
    // Signing up starts a trial, on the embedded database too.
    const plan = { plan: 'trial', trial_expires_at: expect.any(String) };
    expect(answer).toEqual({
      success: true,
      outcome: 'created',
      user: { id: expect.any(String), email: asked.email, display_name: 'Ada', email_verified: false },
      tenant: { id: expect.any(String), display_name: 'Ada', ...plan },
      api_key: expect.stringMatching(/^svc_\w{36}$/),
    });
    const holder = await test.kit.engine.apiKeys.authenticate(answer.api_key);
    expect(holder).toMatchObject({ tenantId: answer.tenant.id, scope: 'full' });
    const session = await browser.get('/auth/session');
    expect(session.body).toMatchObject({ user: answer.user, agents: [answer.tenant] });
  });

  it('never shows the API key again', async () => {
    const { browser, apiKey } = await test.signUp();
    for (const path of ['/auth/session', '/agents', '/api-keys', '/export', '/status']) {
      expect(JSON.stringify((await browser.get(path)).body)).not.toContain(apiKey);
    }
    expect(JSON.stringify(test.logged)).not.toContain(apiKey);
  });

  it('with a known address, in any case, is refused', async () => {
    const { email } = await test.signUp();
    const { status, body: answer } = await test
      .browser()
      .post('/auth/signup', { ...body(), email: email.toUpperCase() });
    expect([status, answer.error.code]).toEqual([409, 'CONFLICT']);
  });

  it('many times at once with one address makes one user', async () => {
    const asked = body();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => test.browser().post('/auth/signup', asked)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it.each([
    ['email', { email: 'ada' }],
    ['email', { email: undefined }],
    ['password', { password: 'too short' }],
    ['password', { password: 'x'.repeat(129) }],
    ['display_name', { display_name: '   ' }],
    ['display_name', { display_name: 'Ada\nGrace' }],
    ['display_name', { display_name: 'Ada\u202e' }],
    ['email', { provider: 'google' }],
    ['provider', { provider: 'myspace' }],
    ['redirect_to', { redirect_to: 'https://evil.example' }],
  ])('names %s when it is wrong: %j', async (path, wrong) => {
    const { status, body: answer } = await test.browser().post('/auth/signup', { ...body(), ...wrong });
    expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.error.details).toContainEqual({ path, message: expect.any(String) });
  });
});

describe('a human with several agents', () => {
  it('makes one, and chooses it by X-Svc-Tenant', async () => {
    const { browser, tenantId } = await test.signUp();
    const made = await browser.post('/agents', { display_name: 'Second' });
    expect(made.status).toBe(201);
    const second = made.body.agent.id;
    const { body: listed } = await browser.get('/agents');
    expect(listed.agents.map(({ id }: { id: string }) => id)).toEqual([tenantId, second]);
    const chosen = (headers?: Record<string, string>) => browser.get('/status', headers);
    expect((await chosen({ 'X-Svc-Tenant': tenantId })).body.tenant.id).toBe(tenantId);
    expect((await chosen({ 'X-Svc-Tenant': ` ${second.toUpperCase()} ` })).body.tenant.display_name).toBe(
      'Second',
    );
  });

  it('has to choose, whatever the call; nothing is done for an agent that was not meant', async () => {
    const { browser, tenantId } = await test.signUp();
    expect((await browser.get('/status')).body.tenant.id).toBe(tenantId);
    const second = (await browser.post('/agents', { display_name: 'Second' })).body.agent.id;
    const memory = { type: 'working', content: 'For whom?' };
    const calls: (readonly [string, (headers?: Record<string, string>) => Promise<Answer>])[] = [
      ['GET /status', (headers) => browser.get('/status', headers)],
      ['GET /export', (headers) => browser.get('/export', headers)],
      ['GET /events/stream', (headers) => browser.get('/events/stream', headers)],
      ['POST /memories', (headers) => browser.post('/memories', memory, headers)],
      ['POST /api-keys', (headers) => browser.post('/api-keys', { name: 'mine' }, headers)],
      [
        'POST /import',
        (headers) => browser.post('/import', { files: [{ name: 'a.md', content: '# A' }] }, headers),
      ],
      ['DELETE /distress', (headers) => browser.delete('/distress', headers)],
    ];
    for (const [name, call] of calls) {
      const { status, body } = await call();
      expect([name, status, body.error?.code]).toEqual([name, 400, 'VALIDATION_ERROR']);
      expect(body.error.details).toEqual([
        { path: 'X-Svc-Tenant', message: expect.stringContaining(second) },
      ]);
      expect(body.error.message).toContain(tenantId);
      for (const wrong of [
        '',
        'first',
        second.slice(1),
        `${second}, ${second}`,
        tenantId.replaceAll('-', ''),
      ]) {
        const { status, body } = await call({ 'X-Svc-Tenant': wrong });
        expect([name, status, body.error?.code]).toEqual([name, 404, 'NOT_FOUND']);
      }
    }
    for (const id of [tenantId, second]) {
      const { body } = await browser.get('/status', { 'X-Svc-Tenant': id });
      expect(body.counts.working).toBe(0);
    }
    // What is about the human and not about an agent needs no choice.
    expect((await browser.get('/agents')).status).toBe(200);
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  it('is told the same of an agent of somebody else as of none', async () => {
    const [ada, bob] = [await test.signUp(), await test.signUp()];
    const ask = async (tenant: string) => {
      const headers = { 'X-Svc-Tenant': tenant, 'X-Request-Id': 'same' };
      const { status, body } = await ada.browser.get('/status', headers);
      return [status, body];
    };
    const foreign = await ask(bob.tenantId);
    expect(foreign[0]).toBe(404);
    for (const missing of [crypto.randomUUID(), 'nonsense', '']) expect(await ask(missing)).toEqual(foreign);
  });

  it('writes as a human', async () => {
    const { browser, userId } = await test.signUp();
    const { body } = await browser.post('/memories', { type: 'episodic', content: 'The kettle is blue.' });
    expect(body.memory.source).toEqual({ kind: 'human', credential_id: userId });
  });
});
