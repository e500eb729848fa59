import { get, type IncomingMessage } from 'node:http';
import { expect, it, vi } from 'vitest';
import { serving, useApp } from '../app/app.fixture.ts';

/** Exports that have no end. */
async function* endless() {
  for (;;) yield 'x'.repeat(65_536);
}
const test = useApp(({ engine }) => ({
  engine: Object.create(engine, {
    streams: { value: () => ({ export: endless, exportAuditLog: endless }) },
  }),
}));

/** Asks for an export, and reads it only as far as its head. */
function open(port: number, bearer: string, path = '/export'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: bearer };
    get({ port, path: `/api/v1${path}`, headers, agent: false }, resolve).once('error', reject);
  });
}

it('an agent has three exports at once, and another one when one of them ends', async () => {
  const [{ bearer }, other] = [await test.signIn(), await test.signIn()];
  await serving(test.app, async (port) => {
    const [first, ...rest] = await Promise.all(
      ['/export', '/export?format=markdown', '/audit-log/export'].map((path) => open(port, bearer, path)),
    );
    expect([first, ...rest].map((message) => message?.statusCode)).toEqual([200, 200, 200]);
    const refused = await open(port, bearer);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5']);
    expect(JSON.parse(Buffer.concat(await refused.toArray()).toString())).toMatchObject({
      success: false,
      error: {
        code: 'RATE_LIMITED',
        message: 'There are 3 exports of this agent, or 12 of its account, already. Try again in 5 s.',
        details: { retry_after: 5 },
      },
    });
    const others = await open(port, other.bearer);
    expect(others.statusCode).toBe(200);
    first?.destroy();
    const last = await vi.waitFor(async () => {
      const message = await open(port, bearer);
      expect(message.statusCode).toBe(200);
      return message;
    });
    for (const message of [...rest, others, last]) message.destroy();
  });
});

it.each(['/export', '/audit-log/export'])('%s breaks off once its key is revoked', async (path) => {
  const { tenantId, keyId, bearer } = await test.signIn();
  await serving(test.app, async (port) => {
    const message = await open(port, bearer, path);
    expect(message.statusCode).toBe(200);
    await test.kit.engine.apiKeys.revoke(tenantId, keyId);
    await expect(
      (async () => {
        for await (const _part of message);
      })(),
    ).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});
