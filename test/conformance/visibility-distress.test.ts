import { describe, expect, it } from 'vitest';
import { type Api, expectRefused } from '../kit/api.ts';
import { useService } from '../kit/service.ts';

const service = useService();

const sessionKey = async (api: Api) => (await api.post<'sessionKey'>('/session-key')).body.session_key;
const setWith = (api: Api, key: string, body: object) =>
  api.post<'setVisibility'>('/visibility', body, { headers: { 'X-Session-Key': key } });

describe('Spec: Endpoints, Visibility', () => {
  it('requires the session key: none, a foreign, an older, an expired one and the API key are FORBIDDEN', async () => {
    const api = await service.signUp();
    const older = await sessionKey(api);
    const foreign = await sessionKey(await service.signUp());
    const newest = await sessionKey(api);
    const change = { default: 'hidden' };
    await expectRefused(api, () => api.post('/visibility', change), 'FORBIDDEN');
    for (const key of [older, foreign, api.key, 'svs_x', ' ']) {
      await expectRefused(api, () => setWith(api, key, change), 'FORBIDDEN');
    }
    service.kit.clock.advance(24 * 3_600_000);
    await expectRefused(api, () => setWith(api, newest, change), 'FORBIDDEN');
  });

  it('the key of a real boot serves, and a preview does not end it', async () => {
    const api = await service.signUp();
    const { body } = await api.get<'boot'>('/memories/boot');
    await api.get('/memories/boot?preview=true');
    const key = /svs_\w{36}/.exec(body.injection)?.[0] ?? '';
    expect((await setWith(api, key, { default: 'redacted' })).status).toBe(200);
  });

  it.each([
    ['default', { default: 'secret' }],
    ['types.dream', { types: { dream: 'full' } }],
    ['types.core', { types: { core: 'maybe' } }],
    ['categories.x', { categories: { x: 'full' } }],
    ['tags.a', { tags: { a: 1 } }],
    ['level', { level: 'full' }],
  ])('%s is refused where wrong', async (path, body) => {
    const api = await service.signUp();
    const key = await sessionKey(api);
    const error = await expectRefused(api, () => setWith(api, key, body), 'VALIDATION_ERROR');
    expect(JSON.stringify(error.details)).toContain(`"path":"${path.split('.')[0]}`);
  });
});

describe('Spec: Endpoints, Distress', () => {
  it('POST /distress opens a signal with 201 and adds to it with 200, DELETE ends it with 200', async () => {
    const api = await service.signUp();
    const { status, body } = await api.post<'distress'>('/distress', { context: 'My core changed.' });
    expect(status).toBe(201);
    const at = service.kit.clock().toISOString();
    expect(body.signal).toMatchObject({
      status: 'open',
      opened_at: at,
      messages: [{ context: 'My core changed.', at }],
      acknowledged_at: null,
    });
    expect((await api.get<'distressSignals'>('/distress')).body.open).toEqual(body.signal);
    expect((await api.post('/distress', { context: 'two' })).status).toBe(200);
    expect((await api.send('DELETE', '/distress')).status).toBe(200);
    expect((await api.post('/distress', { context: 'again' })).status).toBe(201);
  });

  it.each([{}, { context: '' }, { context: ' ' }, { context: 5 }, { context: 'a\u0000' }, { context: null }])(
    '%j is refused',
    async (body) => {
      const api = await service.signUp();
      await expectRefused(api, () => api.post('/distress', body), 'VALIDATION_ERROR', 'context');
    },
  );

  it('an unknown field is refused by name', async () => {
    const api = await service.signUp();
    const send = () => api.post('/distress', { context: 'x', severity: 'high' });
    await expectRefused(api, send, 'VALIDATION_ERROR', 'severity');
  });
});
