import { type Route, routes } from '@svc-memory/core/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, errorOf, expectRefused } from '../kit/api.ts';
import { requestText, sendRaw } from '../kit/raw-http.ts';
import { useService } from '../kit/service.ts';

const service = useService();
let api: Api;
beforeAll(async () => {
  api = await service.signUp();
});

const NOTE = { type: 'working', content: 'x' };
const RESTRICTED: Route[] = Object.values(routes).filter(({ access }: Route) => access !== 'public');
const ENDPOINTS = RESTRICTED.flatMap(({ method, path, alsoGet }) => [
  [method, path] as const,
  ...(alsoGet === undefined ? [] : [['GET', alsoGet] as const]),
]);
const withIds = (template: string, id: string = crypto.randomUUID()) => template.replaceAll(/\{\w+\}/g, id);

const status = (headers: readonly string[], path = '/api/v1/status') =>
  sendRaw(service.port, requestText('GET', path, headers));

describe('Spec: Authentication, 1 — every REST request carries Authorization: Bearer <API_KEY>', () => {
  it.each([
    ['Bearer', 'Bearer'],
    ['bearer, which HTTP reads alike', 'bearer'],
  ])('a valid key is accepted after %s', async (_, scheme) => {
    expect((await status([`Authorization: ${scheme} ${api.key}`])).status).toBe(200);
  });
});

describe('Spec: Authentication, 3 — a missing or invalid key gives UNAUTHORIZED (401)', () => {
  it.each(ENDPOINTS)('%s %s without a key', async (method, template) => {
    const path = withIds(template);
    await expectRefused(api, () => service.withKey('').send(method, path), 'UNAUTHORIZED');
  });

  it.each(ENDPOINTS)('%s %s with an invalid key, whatever else is wrong', async (method, template) => {
    const path = `${withIds(template, 'not-an-id')}?x=1`;
    const options = method === 'GET' ? {} : { raw: '{"broken"' };
    const headers = { Authorization: 'Bearer svc_wrong' };
    const send = () => service.withKey('').send(method, path, { ...options, headers });
    await expectRefused(api, send, 'UNAUTHORIZED');
  });

  const valid = () => api.key;
  it.each<[string, () => string[]]>([
    ['no header', () => []],
    ['an empty header', () => ['Authorization:']],
    ['"Bearer" alone', () => ['Authorization: Bearer']],
    ['"Bearer" and spaces', () => ['Authorization: Bearer   ']],
    ['the key without a scheme', () => [`Authorization: ${valid()}`]],
    ['another scheme', () => [`Authorization: Basic ${btoa(`${valid()}:`)}`]],
    ['a scheme that only begins alike', () => [`Authorization: Bearers ${valid()}`]],
    ['two keys in one header', () => [`Authorization: Bearer ${valid()} ${valid()}`]],
    ['two headers, both valid', () => Array(2).fill(`Authorization: Bearer ${valid()}`)],
    ['two headers, the second valid', () => ['Authorization: Bearer x', `Authorization: Bearer ${valid()}`]],
    ['a list of schemes', () => [`Authorization: Basic x, Bearer ${valid()}`]],
    ['a key one character short', () => [`Authorization: Bearer ${valid().slice(0, -1)}`]],
    ['a key one character long', () => [`Authorization: Bearer ${valid()}0`]],
    ['a key in another case', () => [`Authorization: Bearer ${valid().toUpperCase()}`]],
    ['a wrong checksum', () => [`Authorization: Bearer ${swapLast(valid())}`]],
    [
      'a well-formed key that was never issued',
      () => ['Authorization: Bearer svc_000000000000000000000000000000'],
    ],
    ['10 KiB', () => [`Authorization: Bearer svc_${'a'.repeat(10_240)}`]],
    [
      'a key with spaces inside',
      () => [`Authorization: Bearer ${valid().slice(0, 10)} ${valid().slice(10)}`],
    ],
    ['a key with a trailing tab', () => [`Authorization: Bearer ${valid()}\t x`]],
    ['a non-ASCII key', () => ['Authorization: Bearer svc_\u00FCber']],
    ['a valid key and a letter that is not ASCII', () => [`Authorization: Bearer ${valid()}\u00e4`]],
    ['SQL', () => ["Authorization: Bearer ' OR 1=1 --"]],
    ['a cookie', () => [`Cookie: api_key=${valid()}; Authorization=Bearer ${valid()}`]],
    ['X-Api-Key', () => [`X-Api-Key: ${valid()}`]],
    ['Proxy-Authorization', () => [`Proxy-Authorization: Bearer ${valid()}`]],
  ])('%s', async (_, headers) => {
    const { status: code, body } = await status(headers());
    expect([code, body]).toEqual([401, expect.objectContaining({ success: false })]);
    expect(body).toMatchObject({ error: { code: 'UNAUTHORIZED', message: expect.stringMatching(/\w/) } });
    expect(JSON.stringify(body)).not.toContain(valid());
  });

  it.each(['api_key', 'access_token', 'key', 'token'])('the key in the query as %s', async (name) => {
    expect((await status([], `/api/v1/status?${name}=${api.key}`)).status).toBe(401);
  });

  it('a key in the body of a request', async () => {
    const send = () => service.withKey('').post('/memories', { ...NOTE, api_key: api.key });
    await expectRefused(api, send, 'UNAUTHORIZED');
  });

  it.each([
    ['NUL', 'Authorization: Bearer svc_a\u0000b'],
    ['a line break', 'Authorization: Bearer svc_a\nX-Evil: 1'],
    ['a bare carriage return', 'Authorization: Bearer svc_a\rb'],
  ])('%s within the header is refused before or at sign-in', async (_, header) => {
    const { status: code, body } = await status([header]);
    expect([400, 401]).toContain(code);
    expect(body).toMatchObject({ success: false, error: { code: expect.any(String) } });
  });

  it('a session key is no API key', async () => {
    const { body } = await api.post<'sessionKey'>('/session-key', {});
    expect((await status([`Authorization: Bearer ${body.session_key}`])).status).toBe(401);
  });

  it('a revoked key is refused at once, and the other keys of the tenant still work', async () => {
    const second = await service.kit.engine.apiKeys.create(api.tenantId, { name: 'second', scope: 'full' });
    const bearer = [`Authorization: Bearer ${second.secret}`];
    expect((await status(bearer)).status).toBe(200);
    await service.kit.engine.apiKeys.revoke(api.tenantId, second.id);
    expect((await status(bearer)).status).toBe(401);
    expect((await api.get('/status')).status).toBe(200);
  });

  it('an expired key is refused from the moment it expires', async () => {
    const expiresAt = new Date(service.kit.clock().getTime() + 1000);
    const brief = await service.signUp({ expiresAt });
    service.kit.clock.advance(999);
    expect((await brief.get('/status')).status).toBe(200);
    service.kit.clock.advance(1);
    await expectRefused(brief, () => brief.get('/status'), 'UNAUTHORIZED');
  });

  it('an unknown path needs a key too, and then answers NOT_FOUND', async () => {
    await expectRefused(api, () => service.withKey('').get('/nothing/here'), 'UNAUTHORIZED');
    await expectRefused(api, () => api.get('/nothing/here'), 'NOT_FOUND');
  });

  it('every refusal reads the same, whatever is wrong with the key', async () => {
    const keys = ['x', 'svc_x', swapLast(api.key), `svc_${'0'.repeat(36)}`];
    const messages = await Promise.all(
      keys.map(async (key) => errorOf(await service.withKey(key).get('/status')).message),
    );
    expect(new Set(messages)).toEqual(new Set(['The API key is unknown, expired or revoked.']));
  });

  it('the answer names the scheme', async () => {
    const { headers } = await service.withKey('').get('/status');
    expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="svc"/);
  });
});

describe('Design 5: API keys of scope read', () => {
  const FORM: Record<string, string> = {
    '/memories/recall': '{"query":"x"}',
    '/memories/query': '{}',
  };
  const QUERY: Record<string, string> = {
    '/memories/calendar': '?since=2026-01-01&until=2026-01-31',
    '/memories/learnt': '?since=2026-01-01',
  };
  const rows = RESTRICTED.map(({ method, path, access }) => [access, method, path] as const);

  it.each(rows.filter(([access]) => access !== 'read'))(
    'a route for %s refuses it: %s %s',
    async (_, method, template) => {
      const reader = await service.signUp({ scope: 'read' });
      const path = withIds(template);
      const options = { raw: '{}', headers: { 'Content-Type': 'application/json' } };
      await expectRefused(
        reader,
        () => reader.send(method, path, method === 'GET' || method === 'DELETE' ? {} : options),
        'FORBIDDEN',
      );
    },
  );

  it.each(rows.filter(([access, , path]) => access === 'read' && !path.includes('{')))(
    'a route for %s accepts it: %s %s',
    async (_, method, path) => {
      const reader = await service.signUp({ scope: 'read' });
      const raw = FORM[path];
      const headers = { 'Content-Type': 'application/json' };
      const { status: code } = await reader.send(
        method,
        `${path}${QUERY[path] ?? ''}`,
        raw === undefined ? {} : { raw, headers },
      );
      expect(code).toBe(200);
    },
  );
});

describe('Design 7: what only the human may do', () => {
  const human = RESTRICTED.filter(({ access }) => access === 'human');

  it.each(human.map(({ method, path }) => [method, path] as const))(
    'no API key may call %s %s',
    async (method, template) => {
      const options = { raw: '{}', headers: { 'Content-Type': 'application/json' } };
      const send = () => api.send(method, withIds(template), method === 'GET' ? {} : options);
      await expectRefused(api, send, 'FORBIDDEN');
    },
  );
});

describe('Spec: Authentication endpoints', () => {
  const post = (path: string, body: unknown) =>
    fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('POST /auth/wallet gives an agent a message to sign, and takes nothing else for an address', async () => {
    const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
    const asked = await post('/auth/wallet', { address });
    expect(asked.status).toBe(200);
    const { message } = (await asked.json()) as { message: string };
    expect(message).toContain(address);
    expect((await post('/auth/wallet', { address: '0x12' })).status).toBe(400);
    expect((await post('/auth/wallet', { message, signature: `0x${'0'.repeat(130)}` })).status).toBe(401);
  });

  it('POST /auth/signup is for humans: e-mail and password, or a provider', async () => {
    const missing = await post('/auth/signup', { email: 'ada@example.com' });
    expect(missing.status).toBe(400);
    const answer = (await missing.json()) as { success: boolean; error: { code: string } };
    expect(answer).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } });
  });
});

function swapLast(key: string): string {
  return `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
}
