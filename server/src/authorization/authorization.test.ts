import { beforeAll, describe, expect, it } from 'vitest';
import { type Browser, useAccounts } from '../accounts/accounts.fixture.ts';
import { connectApp, createTestApp, letIn, proofKey, REDIRECT_URI } from './authorization.fixture.ts';

const service = useAccounts();
const HOUR_MS = 3_600_000;

/** A human for the tests that need no agent of their own. */
let browser: Browser;
beforeAll(async () => {
  browser = (await service.signUp()).browser;
});

describe('discovery', () => {
  it('leads from a refused call to the metadata of both', async () => {
    const refused = await createTestApp(service).call('svc_wrong');
    expect(refused.status).toBe(401);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    const metadataUrl = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
    expect(metadataUrl).toBe(`${service.url}/.well-known/oauth-protected-resource/mcp`);
    const resource = await (await fetch(metadataUrl)).json();
    expect(resource).toMatchObject({ resource: `${service.url}/mcp`, authorization_servers: [service.url] });
    const root = await fetch(`${service.url}/.well-known/oauth-protected-resource`);
    expect(await root.json()).toEqual(resource);
    const server = await (await fetch(`${service.url}/.well-known/oauth-authorization-server`)).json();
    expect(server).toMatchObject({
      issuer: service.url,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
    });
  });

  it('is not offered by other routes, whose challenge names no metadata', async () => {
    const { headers } = await service.browser().get('/status');
    expect(headers.get('www-authenticate')).toBe('Bearer realm="svc"');
  });
});

describe('an app that a human let in', () => {
  it('calls tools in the scope it was given, and nothing else anywhere', async () => {
    const { browser, tenantId } = await service.signUp();
    const { app, tokens, back } = await connectApp(service, browser);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.stringMatching(/^svo_/),
      state: 'state of the app',
      iss: service.url,
    });
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'full' });
    const answer = await app.call(tokens.access_token);
    expect(answer.body.result.structuredContent.tenant.id).toBe(tenantId);
    const stored = await app.call(tokens.access_token, 'svc_remember', { type: 'semantic', content: 'Tea.' });
    expect(stored.body.result.isError).toBeUndefined();
    const bearer = { Authorization: `Bearer ${tokens.access_token}` };
    const stranger = service.browser();
    for (const path of [
      '/status',
      '/memories/query',
      '/api-keys',
      '/connections',
      '/auth/session',
      '/agents',
    ]) {
      expect((await stranger.get(path, bearer)).status, path).toBe(401);
      expect((await browser.get(path, bearer)).status, path).toBe(401);
    }
    expect((await stranger.post('/memories', { type: 'semantic', content: 'x' }, bearer)).status).toBe(401);
    // The refresh token and the code open nothing.
    for (const secret of [tokens.refresh_token, back.searchParams.get('code') ?? '']) {
      expect((await app.call(secret)).status).toBe(401);
    }
  });

  it('with scope read behaves as a read key', async () => {
    const { app, tokens } = await connectApp(service, browser, { grant: 'read' });
    expect(tokens.scope).toBe('read');
    expect(
      (await app.call(tokens.access_token, 'svc_recall', { query: 'tea' })).body.result.isError,
    ).toBeUndefined();
    const refused = await app.call(tokens.access_token, 'svc_remember', {
      type: 'semantic',
      content: 'Tea.',
    });
    expect(refused.body.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^FORBIDDEN/) }],
    });
    const wider = await app.token({
      grant_type: 'refresh_token',
      client_id: (await browser.get('/connections')).body.connections[0].app.client_id,
      refresh_token: tokens.refresh_token,
      scope: 'full',
    });
    expect([wider.status, wider.body.error]).toEqual([400, 'invalid_scope']);
  });

  it('may name scopes out of habit on a refresh, as when it asks to be let in', async () => {
    const { browser } = await service.signUp();
    const scope = 'openid profile email offline_access full';
    const { app, tokens, clientId } = await connectApp(service, browser);
    const refresh = { grant_type: 'refresh_token', client_id: clientId, scope };
    const next = await app.token({ ...refresh, refresh_token: tokens.refresh_token });
    expect(next.body).toMatchObject({ scope: 'full' });
    expect((await app.call(next.body.access_token)).body.result.isError).toBeUndefined();
  });

  it('is listed, noted when used, and shut out at once', async () => {
    const { browser } = await service.signUp();
    const { app, tokens, clientId } = await connectApp(service, browser);
    await app.call(tokens.access_token);
    const { body } = await browser.get('/connections');
    expect(body.connections).toMatchObject([
      { app: { client_id: clientId, name: 'Test app', host: null }, scope: 'full' },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/svo_/);
    await expect
      .poll(async () => (await browser.get('/connections')).body.connections[0].last_used_at)
      .not.toBeNull();
    expect((await browser.delete(`/connections/${body.connections[0].id}`)).status).toBe(200);
    const refused = await app.call(tokens.access_token);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('resource_metadata'),
    ]);
    const refreshed = await app.token({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: tokens.refresh_token,
    });
    expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant']);
    expect((await browser.get('/connections')).body.connections).toEqual([]);
  });

  it('reaches the one agent it was let in to, also of a human with two, and no other human’s', async () => {
    const { browser } = await service.signUp();
    const second = (await browser.post('/agents', { display_name: 'Grace' })).body.agent.id;
    const { app, tokens } = await connectApp(service, browser, { headers: { 'X-Svc-Tenant': second } });
    expect((await app.call(tokens.access_token)).body.result.structuredContent.tenant.id).toBe(second);
    const eve = await service.signUp();
    const foreign = await eve.browser.post(
      '/connections',
      { ...createTestApp(service).request(crypto.randomUUID(), proofKey().challenge), grant: 'full' },
      { 'X-Svc-Tenant': second },
    );
    expect(foreign.status).toBe(404);
    const [connection] = (await browser.get('/connections', { 'X-Svc-Tenant': second })).body.connections;
    expect((await eve.browser.delete(`/connections/${connection.id}`)).status).toBe(404);
    expect((await app.call(tokens.access_token)).status).toBe(200);
  });
});

it('of apps let in at once no more than 100 are', async () => {
  const { browser } = await service.signUp();
  const app = createTestApp(service);
  const clientId = (await app.register()).body.client_id;
  const body = { ...app.request(clientId, proofKey().challenge), grant: 'read' };
  const answers = await Promise.all(Array.from({ length: 103 }, () => browser.post('/connections', body)));
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.map(({ body }) => body.error.message)).toEqual(
    Array(3).fill('There are 100 connected apps, the most there can be. Disconnect one.'),
  );
});

describe('what is stolen or replayed', () => {
  it('a code is good once; shown again, all its tokens end', async () => {
    const { browser } = await service.signUp();
    const { app, tokens, exchange } = await connectApp(service, browser);
    const replayed = await app.token(exchange);
    expect([replayed.status, replayed.body.error]).toEqual([400, 'invalid_grant']);
    expect((await app.call(tokens.access_token)).status).toBe(401);
    expect((await browser.get('/connections')).body.connections).toEqual([]);
  });

  it('a code shown by ten at once gives tokens to one at most', async () => {
    const { app, exchange } = await letIn(service, browser);
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.token(exchange)));
    const given = answers.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    expect((await app.call(given[0]?.body.access_token)).status).toBe(401);
  });

  describe('a refresh token shown again', () => {
    async function connected() {
      const { app, tokens, clientId } = await connectApp(service, browser);
      const refresh = (refresh_token: string) =>
        app.token({ grant_type: 'refresh_token', client_id: clientId, refresh_token });
      return { app, first: tokens.refresh_token as string, refresh };
    }

    it('gets the same pair within a minute: for processes that share it, and where an answer was lost', async () => {
      const { app, first, refresh } = await connected();
      const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(first)));
      service.kit.clock.advance(50_000);
      const { body: again } = await refresh(first);
      for (const { body } of answers) expect({ ...body, expires_in: 3_550 }).toEqual(again);
      expect((await app.call(again.access_token)).status).toBe(200);
      expect((await refresh(again.refresh_token)).status).toBe(200);
    });

    it('ends the connection later, for the thief as for the app', async () => {
      const { app, first, refresh } = await connected();
      const { body: next } = await refresh(first);
      service.kit.clock.advance(61_000);
      expect((await refresh(first)).body.error).toBe('invalid_grant');
      expect((await refresh(next.refresh_token)).body.error).toBe('invalid_grant');
      expect((await app.call(next.access_token)).status).toBe(401);
    });

    it('ends it at once where the pair after it was refreshed, too', async () => {
      const { app, first, refresh } = await connected();
      const { body: second } = await refresh(first);
      const { body: third } = await refresh(second.refresh_token);
      expect((await app.call(third.access_token)).status).toBe(200);
      expect((await refresh(first)).body.error).toBe('invalid_grant');
      expect((await app.call(third.access_token)).status).toBe(401);
    });
  });

  it('tokens of one app are nothing to another', async () => {
    const { app, tokens } = await connectApp(service, browser);
    const other = (await app.register()).body.client_id;
    const stolen = await app.token({
      grant_type: 'refresh_token',
      client_id: other,
      refresh_token: tokens.refresh_token,
    });
    expect(stolen.body.error).toBe('invalid_grant');
    expect((await app.revoke({ client_id: other, token: tokens.refresh_token })).status).toBe(200);
    expect((await app.call(tokens.access_token)).status).toBe(200);
  });

  it('an app can end its own connection by either token', async () => {
    for (const which of ['access_token', 'refresh_token']) {
      const { app, tokens, clientId } = await connectApp(service, browser);
      expect((await app.revoke({ client_id: clientId, token: tokens[which] })).status).toBe(200);
      expect((await app.call(tokens.access_token)).status, which).toBe(401);
    }
  });

  it('ends for good where the agent is taken from the human who let it in, though it is given back', async () => {
    const { browser, tenantId, userId } = await service.signUp();
    const { app, tokens, clientId } = await connectApp(service, browser);
    const unused = await letIn(service, browser);
    const { accounts } = service.kit.engine;
    const other = await service.signUp();
    await accounts.giveAgent(tenantId, other.userId);
    const theirs = await connectApp(service, other.browser, { headers: { 'X-Svc-Tenant': tenantId } });
    await accounts.takeAgent(tenantId, userId);
    await accounts.giveAgent(tenantId, userId);
    expect((await app.call(tokens.access_token)).status).toBe(401);
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: clientId };
    expect((await app.token(refresh)).body.error).toBe('invalid_grant');
    expect((await app.token(unused.exchange)).body.error).toBe('invalid_grant');
    expect((await theirs.app.call(theirs.tokens.access_token)).status).toBe(200);
    const headers = { 'X-Svc-Tenant': tenantId };
    expect((await browser.get('/connections', headers)).body.connections).toHaveLength(1);
    const { body } = await browser.get('/audit-log', headers);
    const acts = body.entries.map(({ act }: { act: string }) => act);
    expect(acts.filter((act: string) => act === 'connection.revoked')).toHaveLength(2);
    // Let in again, it reaches the agent again.
    const again = await connectApp(service, browser, { headers });
    expect((await app.call(again.tokens.access_token)).status).toBe(200);
  });

  it('only hashes are stored, and nothing of it is logged', async () => {
    const { tokens, code } = await connectApp(service, browser);
    const { database } = service.kit.engine;
    const dump = await database.system(async (tx) => {
      const tables = ['connections', 'connection_tokens', 'oauth_clients'] as const;
      const found = [];
      for (const table of tables)
        found.push(
          await (tx as never as { execute(q: string): Promise<unknown> }).execute(`SELECT * FROM ${table}`),
        );
      return JSON.stringify(found);
    });
    for (const secret of [tokens.access_token, tokens.refresh_token, code]) {
      expect(dump).not.toContain(secret);
      expect(JSON.stringify(service.logged)).not.toContain(secret);
    }
  });
});

describe('a token request that is wrong', () => {
  const wrong: readonly (readonly [string, Record<string, string>, string])[] = [
    ['another verifier', { code_verifier: 'a'.repeat(43) }, 'invalid_grant'],
    ['a verifier that is too short', { code_verifier: 'short' }, 'invalid_request'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['another redirect_uri', { redirect_uri: 'https://app.example/other' }, 'invalid_grant'],
    ['no redirect_uri', { redirect_uri: '' }, 'invalid_request'],
    ['another client', { client_id: '00000000-0000-4000-8000-000000000000' }, 'invalid_grant'],
    ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['a resource that is none', { resource: 'mcp' }, 'invalid_target'],
    ['a client secret', { client_secret: 'x' }, 'invalid_client'],
    ['a grant type we have not', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['a code that is none', { code: "svo_' OR 1=1 --" }, 'invalid_grant'],
  ];
  it.each(wrong)('with %s gets no tokens', async (_what, change, error) => {
    const { app, exchange } = await letIn(service, browser);
    const answer = await app.token({ ...exchange, ...change });
    expect([answer.status, answer.body.error, answer.headers.get('cache-control')]).toEqual([
      400,
      error,
      'no-store',
    ]);
    // A code that failed for what only a thief gets wrong is used up.
    if (error === 'invalid_grant' && change.code === undefined) {
      expect((await app.token(exchange)).body.error).toBe('invalid_grant');
    }
  });

  it('a code ends after five minutes', async () => {
    const { app, exchange } = await letIn(service, browser);
    service.kit.clock.advance(5 * 60_000);
    const late = await app.token(exchange);
    expect(late.body.error).toBe('invalid_grant');
  });

  it('as JSON, or with a field twice, is refused in OAuth’s own form', async () => {
    const app = createTestApp(service);
    expect((await app.post('/oauth/token', { grant_type: 'authorization_code' })).body.error).toBe(
      'invalid_request',
    );
    const twice = new URLSearchParams('client_id=a&client_id=b&grant_type=refresh_token');
    expect((await app.post('/oauth/token', twice)).body.error).toBe('invalid_request');
  });
});

describe('registration', () => {
  it.each([
    ['nothing', { redirect_uris: [] }],
    ['javascript:', { redirect_uris: ['javascript:alert(1)'] }],
    ['data:', { redirect_uris: ['data:text/html,x'] }],
    ['file:', { redirect_uris: ['file:///etc/passwd'] }],
    ['a scheme that starts programs', { redirect_uris: ['ms-msdt:/id'] }],
    ['http of another machine', { redirect_uris: ['http://app.example/back'] }],
    ['a name that begins like this machine', { redirect_uris: ['http://localhost.evil.example/'] }],
    ['a fragment', { redirect_uris: ['https://app.example/#x'] }],
    ['an empty fragment', { redirect_uris: ['https://app.example/#'] }],
    ['a user', { redirect_uris: ['https://app.example@evil.example/'] }],
    ['a line break', { redirect_uris: ['https://app.example/\nback'] }],
    ['a backslash', { redirect_uris: ['https://app.example\\@evil.example/'] }],
    ['no address', { redirect_uris: ['back'] }],
    ['one wrong of two', { redirect_uris: [REDIRECT_URI, 'javascript:1'] }],
  ])('of an app that wants to be answered at %s is refused', async (_what, metadata) => {
    const { status, body } = await createTestApp(service).register(metadata);
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
  });

  it('makes a public client, whatever was asked for, under a name that can be shown', async () => {
    const { status, body } = await createTestApp(service).register({
      client_name: ' Cl\u200Bau\u202Ede\n<b> ',
      token_endpoint_auth_method: 'client_secret_post',
    });
    expect([status, body.client_name, body.token_endpoint_auth_method, body.client_secret]).toEqual([
      ...[201, 'Claude <b>', 'none', undefined],
    ]);
  });
});

describe('what the human is asked', () => {
  const ask = async (change: object, metadata: object = {}) => {
    const app = createTestApp(service);
    const clientId = (await app.register(metadata)).body.client_id;
    const { body, status } = await browser.post(
      '/connections/request',
      app.request(clientId, proofKey().challenge, change),
    );
    const approved = await browser.post('/connections', {
      ...app.request(clientId, proofKey().challenge, change),
      grant: 'full',
    });
    return { body, status, approved };
  };

  it('names the app, the host it goes back to, and the scope', async () => {
    const { body } = await ask({ scope: 'read' });
    expect(body).toMatchObject({
      app: { name: 'Test app', host: null },
      redirect_host: 'app.example',
      redirect_is_local: false,
      scope: 'read',
    });
    expect(new URL(body.decline_url).searchParams.get('error')).toBe('access_denied');
    expect((await ask({ scope: 'read' })).approved.body.error.details).toMatchObject([{ path: 'grant' }]);
  });

  it.each([
    ['another host', 'https://evil.example/back'],
    ['another path', 'https://app.example/back/../other'],
    ['a path below', 'https://app.example/back/x'],
    ['a query', 'https://app.example/back?x=1'],
    ['another scheme', 'http://app.example/back'],
    ['a subdomain', 'https://x.app.example/back'],
    ['upper case', 'https://APP.example/back'],
    ['a user before the host', 'https://app.example@evil.example/back'],
    ['a fragment', 'https://app.example/back#x'],
    ['javascript:', 'javascript:alert(1)'],
  ])('an answer to %s is never given: there is no redirect at all', async (_what, redirect_uri) => {
    const { status, body, approved } = await ask({ redirect_uri });
    expect([status, body.error.code, body.error.details?.[0].path]).toEqual([
      400,
      'VALIDATION_ERROR',
      'redirect_uri',
    ]);
    expect([approved.status, JSON.stringify(approved.body)]).toEqual([
      400,
      expect.not.stringContaining('svo_'),
    ]);
  });

  it('only the port of this machine may differ from what was registered', async () => {
    const local = { redirect_uris: ['http://127.0.0.1:1234/cb', 'http://localhost/cb'] };
    for (const redirect_uri of [
      'http://127.0.0.1:9999/cb',
      'http://127.0.0.1/cb',
      'http://localhost:80/cb',
      'http://localhost:5/cb',
    ]) {
      expect((await ask({ redirect_uri }, local)).status, redirect_uri).toBe(200);
    }
    for (const redirect_uri of [
      'http://127.0.0.1:9999/other',
      'http://[::1]:1234/cb',
      'http://127.0.0.2:1234/cb',
    ]) {
      expect((await ask({ redirect_uri }, local)).status, redirect_uri).toBe(400);
    }
  });

  it.each([
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['PKCE plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['PKCE without a method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a challenge that is none', { code_challenge: 'short' }, 'invalid_request'],
    ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['a scope we have not', { scope: 'full admin' }, 'invalid_scope'],
    ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['a resource that begins like ours', { resource: 'http://127.0.0.1.evil.example/mcp' }, 'invalid_target'],
  ])('with %s the human can only go back', async (_what, change, error) => {
    const { status, body, approved } = await ask(change);
    expect([status, typeof body.problem]).toEqual([200, 'string']);
    const back = new URL(body.decline_url);
    expect([back.origin, back.searchParams.get('error'), back.searchParams.get('iss')]).toEqual([
      ...['https://app.example', error, service.url],
    ]);
    expect(approved.status).toBe(400);
  });

  it('is answered by nobody but the human on our own page', async () => {
    const { browser, apiKey } = await service.signUp();
    const { app, tokens } = await connectApp(service, browser);
    const clientId = (await app.register()).body.client_id;
    const body = { ...app.request(clientId, proofKey().challenge), grant: 'full' };
    const foreign: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ];
    for (const headers of foreign) {
      expect((await browser.post('/connections', body, headers)).status, JSON.stringify(headers)).toBe(403);
    }
    const stranger = service.browser();
    expect((await stranger.post('/connections', body)).status).toBe(401);
    expect((await stranger.post('/connections', body, { Authorization: `Bearer ${apiKey}` })).status).toBe(
      403,
    );
    expect(
      (await stranger.post('/connections', body, { Authorization: `Bearer ${tokens.access_token}` })).status,
    ).toBe(401);
    // A page cannot send JSON to us without asking first, and a form is not taken.
    expect((await browser.post('/connections', body, { 'Content-Type': 'text/plain' })).status).toBe(415);
  });
});

// Last, since sessions end meanwhile.
describe('time', () => {
  it('ends with its tokens: access after an hour, refresh after 30 days', async () => {
    const { browser } = await service.signUp();
    const { app, tokens, clientId } = await connectApp(service, browser);
    const refresh = { grant_type: 'refresh_token', client_id: clientId };
    service.kit.clock.advance(HOUR_MS);
    expect((await app.call(tokens.access_token)).status).toBe(401);
    const next = await app.token({ ...refresh, refresh_token: tokens.refresh_token });
    expect((await app.call(next.body.access_token)).status).toBe(200);
    service.kit.clock.advance(30 * 24 * HOUR_MS);
    const late = await app.token({ ...refresh, refresh_token: next.body.refresh_token });
    expect([late.status, late.body.error]).toEqual([400, 'invalid_grant']);
  });
});
