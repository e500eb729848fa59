import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../app/app.fixture.ts';
import { hasRedisServer, prepareRedisServer } from '../redis/redis-server.fixture.ts';
import { openQueue } from '../redis/work-queue.ts';
import { createBoard } from './board.ts';

const TOKEN = 'the-operator-alone-knows';
const BASIC = `Basic ${Buffer.from(`anyone:${TOKEN}`).toString('base64')}`;
const BEARER = `Bearer ${TOKEN}`;
const PAGE = '/operator/queues';

describe.skipIf(!hasRedisServer)('the operator’s page of the queue', async () => {
  const redis = await prepareRedisServer();
  const queue = openQueue(redis.url);
  queue.on('error', () => {});
  const test = useApp(() => ({ operatorPages: createBoard({ queue, token: TOKEN }) }));
  const get = (path: string, authorization: string) =>
    supertest(test.app).get(path).set('Authorization', authorization);
  beforeAll(() => redis.start());
  afterAll(async () => {
    await queue.close();
    await redis.kill();
  });

  it('opens for the token only, as a bearer or as a password', async () => {
    const { bearer } = await test.signIn();
    for (const path of [PAGE, `${PAGE}/api/queues`, `${PAGE}/static/js/x.js`]) {
      for (const wrong of [
        '',
        bearer,
        `${BEARER}x`,
        'Basic eDp5',
        `Basic ${Buffer.from(TOKEN).toString('hex')}`,
      ]) {
        const { status, headers } = await get(path, wrong);
        expect([status, headers['www-authenticate']]).toEqual([401, expect.stringContaining('Basic')]);
      }
    }
    expect((await get(PAGE, BEARER)).status).toBe(200);
    expect((await get(PAGE, BASIC)).status).toBe(200);
  });

  it('runs its own scripts and loads nothing from elsewhere', async () => {
    const { text, headers } = await get(`${PAGE}/`, BASIC);
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*/);
    const script = /src="(static\/js\/[^"]+)"/.exec(text)?.[1];
    expect((await get(`${PAGE}/${script}`, BASIC)).status).toBe(200);
    const other = await supertest(test.app).get('/health');
    expect(other.headers['content-security-policy']).toContain("default-src 'none'");
    expect(other.headers['content-security-policy']).not.toContain('script-src');
  });

  it('shows what waits, and pauses and resumes it', async () => {
    await queue.add('test.job', {}, { delay: 60_000 });
    const shown = async () => (await get(`${PAGE}/api/queues`, BEARER)).body.queues[0];
    expect(await shown()).toMatchObject({ name: 'background', counts: { delayed: 1 }, isPaused: false });
    const put = supertest(test.app).put(`${PAGE}/api/queues/background/pause`).set('Authorization', BEARER);
    expect((await put).status).toBe(200);
    expect(await shown()).toMatchObject({ isPaused: true });
    await queue.resume();
  });

  it('a page of another site cannot use the password that the browser keeps', async () => {
    const put = (headers: Record<string, string>) =>
      supertest(test.app)
        .put(`${PAGE}/api/queues/background/pause`)
        .set({ Authorization: BASIC, Host: '127.0.0.1', ...headers });
    expect((await put({ Origin: 'https://evil.example' })).status).toBe(403);
    expect((await put({})).status).toBe(403);
    expect(await queue.isPaused()).toBe(false);
    expect((await put({ Origin: 'http://127.0.0.1' })).status).toBe(200);
    await queue.resume();
  });
});
