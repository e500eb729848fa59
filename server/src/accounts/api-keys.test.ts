import { describe, expect, it } from 'vitest';
import { type Answer, useAccounts } from './accounts.fixture.ts';

const test = useAccounts();
const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });
const code = ({ status, body }: Answer) => [status, body.error?.code];

describe('threat 2: a stolen or leaked API key', () => {
  it('cannot list, make, rotate or revoke keys, whatever its scope', async () => {
    const { browser, apiKey } = await test.signUp();
    const { body } = await browser.get('/api-keys');
    const thief = test.browser();
    const { id } = body.api_keys[0];
    expect(code(await thief.get('/api-keys', bearer(apiKey)))).toEqual([403, 'FORBIDDEN']);
    expect(code(await thief.post('/api-keys', { name: 'mine' }, bearer(apiKey)))).toEqual([403, 'FORBIDDEN']);
    expect(code(await thief.post(`/api-keys/${id}/rotate`, {}, bearer(apiKey)))).toEqual([403, 'FORBIDDEN']);
    expect(code(await thief.delete(`/api-keys/${id}`, bearer(apiKey)))).toEqual([403, 'FORBIDDEN']);
  });

  it('ends at once when the human revokes it', async () => {
    const { browser, apiKey } = await test.signUp();
    const { body } = await browser.get('/api-keys');
    expect((await browser.delete(`/api-keys/${body.api_keys[0].id}`)).status).toBe(200);
    expect(code(await test.browser().get('/status', bearer(apiKey)))).toEqual([401, 'UNAUTHORIZED']);
  });

  it('can be replaced without a pause, and its secret is shown once', async () => {
    const { browser, apiKey } = await test.signUp();
    const { body: before } = await browser.get('/api-keys');
    const { status, body } = await browser.post(`/api-keys/${before.api_keys[0].id}/rotate`, {
      overlap_hours: 1,
    });
    expect(status).toBe(201);
    expect((await test.browser().get('/status', bearer(body.secret))).status).toBe(200);
    expect((await test.browser().get('/status', bearer(apiKey))).status).toBe(200);
    test.kit.clock.advance(3_600_000);
    expect((await test.browser().get('/status', bearer(body.secret))).status).toBe(200);
    expect((await test.browser().get('/status', bearer(apiKey))).status).toBe(401);
    const { body: after } = await browser.get('/api-keys');
    expect(JSON.stringify(after)).not.toContain(body.secret);
  });

  it('shows when and from which address it was last used', async () => {
    const { browser, apiKey } = await test.signUp();
    await test.browser().get('/status', bearer(apiKey));
    await expect
      .poll(async () => (await browser.get('/api-keys')).body.api_keys[0])
      .toMatchObject({
        last_used_at: test.kit.clock().toISOString(),
        last_used_address: expect.stringContaining('127.0.0.1'),
      });
  });

  it('is nowhere in the database or the log', async () => {
    const { browser, apiKey } = await test.signUp();
    const { body } = await browser.post('/api-keys', { name: 'laptop' });
    await test.browser().post('/memories', { type: 'working', content: 'x' }, bearer(body.secret));
    const dump = await dumpDatabase();
    expect(dump).toContain(body.api_key.id);
    for (const secret of [apiKey, body.secret]) {
      expect(dump).not.toContain(secret.slice(4));
      expect(JSON.stringify(test.logged)).not.toContain(secret.slice(4));
    }
  });
});

/** Every row of every table, as text. */
function dumpDatabase(): Promise<string> {
  return test.kit.engine.database.system(async (tx) => {
    // The two drivers wrap rows differently; as text they are alike.
    const read = async (query: string) => JSON.stringify(await tx.execute(query));
    const tables = await read(`SELECT tablename AS table_name FROM pg_tables WHERE schemaname = 'public'`);
    const dumps: string[] = [];
    for (const [, name] of tables.matchAll(/"table_name":"(\w+)"/g)) {
      dumps.push(await read(`SELECT t::text AS row FROM ${name} t`));
    }
    return dumps.join();
  });
}
