import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, test } from 'vitest';
import { startMoodyService } from '../kit/moody-service.ts';
import { useService } from '../kit/service.ts';
import { call, ok, stdioTransport, useBundle } from './clients.ts';

const service = useService();
const built = useBundle();
const open: Client[] = [];
afterAll(() => Promise.all(open.map((client) => client.close())));

const MODERN = '2026-07-28';
const PATIENT = { timeout: 60_000 };
const MODES = { 'of 2025': 'legacy', [MODERN]: { pin: MODERN } } as const;
type Mode = (typeof MODES)[keyof typeof MODES];
const DOORS = ['stdio', 'http'] as const;
const CASES = DOORS.flatMap((door) =>
  Object.entries(MODES).map(([revision, mode]) => ({ door, revision, mode })),
);

async function connect(door: (typeof DOORS)[number], mode: Mode, key: string, options: ClientOptions = {}) {
  const client = new Client(
    { name: 'svc-test', version: '1.0.0' },
    { versionNegotiation: { mode }, ...options },
  );
  open.push(client);
  await client.connect(
    door === 'stdio'
      ? stdioTransport(built.bin, { SVC_API_URL: service.url, SVC_API_KEY: key })
      : new StreamableHTTPClientTransport(new URL('/mcp', service.url), {
          requestInit: { headers: { Authorization: `Bearer ${key}` } },
        }),
  );
  return client;
}

describe.each(CASES)('a client of revision $revision over $door', ({ door, mode }) => {
  test('is served tools, resources and prompts', async () => {
    const { key, tenantId } = await service.signUp();
    const client = await connect(door, mode, key);
    expect(client.getProtocolEra()).toBe(mode === 'legacy' ? 'legacy' : 'modern');
    expect((await client.listTools()).tools).toHaveLength(19);
    expect((await ok(client, 'svc_status')).structured).toMatchObject({ tenant: { id: tenantId } });
    const { structured } = await ok(client, 'svc_remember', { type: 'semantic', content: 'Tea at four.' });
    const { id } = structured.memory as { id: string };
    const { contents } = await client.readResource({ uri: `svc://memory/${id}` });
    expect(contents).toMatchObject([{ text: expect.stringContaining('Tea at four.') }]);
    expect((await client.getPrompt({ name: 'boot' })).messages).toHaveLength(1);
    expect(await call(client, 'svc_recall', { query: 7 })).toMatchObject({ isError: true });
    await expect(client.readResource({ uri: 'svc://elsewhere' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.getPrompt({ name: 'elsewhere' })).rejects.toMatchObject({ code: -32602 });
  });

  test('completes arguments from tags, keys and ids', async () => {
    const { key, tenantId } = await service.signUp();
    const agent = service.kit.engine.agent(tenantId);
    const { memory } = await agent.remember({
      ...{ type: 'semantic', content: 'The harbour opens at six.', key: 'harbour-hours' },
      tags: ['harbour', 'old harbour', 'tea'],
    });
    const client = await connect(door, mode, key);
    expect(client.getServerCapabilities()).toMatchObject({ completions: {}, logging: {} });
    const hint = (value: string) =>
      client.complete({
        ref: { type: 'ref/prompt', name: 'boot' },
        argument: { name: 'context_hint', value },
      });
    expect((await hint('Har')).completion).toMatchObject({
      values: ['harbour', 'harbour-hours', 'old harbour'],
      total: 3,
      hasMore: false,
    });
    expect((await hint('zzz')).completion.values).toEqual([]);
    const ids = await client.complete({
      ref: { type: 'ref/resource', uri: 'svc://memory/{id}' },
      argument: { name: 'id', value: memory.id.slice(0, 8) },
    });
    expect(ids.completion.values).toEqual([memory.id]);
    await expect(
      client.complete({
        ref: { type: 'ref/prompt', name: 'x' },
        argument: { name: 'context_hint', value: '' },
      }),
    ).rejects.toMatchObject({ code: -32602 });
  });

  test('gets the messages it asks for, at its level or above, and none unasked', async () => {
    const { key } = await service.signUp();
    const client = await connect(door, mode, key);
    const logged: { level: string; data: unknown }[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => {
      logged.push(params);
    });
    const modern = mode !== 'legacy';
    const callAt = (level: 'debug' | 'warning', name: string) =>
      client.callTool({
        ...{ name, arguments: name === 'svc_recall' ? { query: 7 } : {} },
        ...(modern && { _meta: { 'io.modelcontextprotocol/logLevel': level } }),
      });
    await client.callTool({ name: 'svc_status', arguments: {} });
    expect(logged).toEqual([]);
    if (!modern) await client.setLoggingLevel('warning');
    await callAt('warning', 'svc_status');
    await callAt('warning', 'svc_recall');
    expect(logged).toMatchObject([
      { level: 'warning', logger: 'svc', data: { tool: 'svc_recall', code: 'VALIDATION_ERROR' } },
    ]);
    if (!modern) await client.setLoggingLevel('debug');
    await callAt('debug', 'svc_status');
    expect(logged.at(-1)).toMatchObject({ level: 'debug', data: { tool: 'svc_status' } });
  });

  test('is told the progress of what takes long, in growing numbers', async () => {
    const { key } = await service.signUp();
    const client = await connect(door, mode, key);
    for (const [name, args] of [
      ['svc_sync_working', { content: '# Notes\n\nTea.' }],
      ['svc_export', {}],
      ['svc_reflect', {}],
    ] as const) {
      const told: number[] = [];
      const running = client.callTool(
        { name, arguments: args },
        { onprogress: ({ progress }) => void told.push(progress) },
      );
      if (name === 'svc_reflect') {
        await expect.poll(() => told.length, PATIENT).toBeGreaterThan(0);
        await service.kit.engine.background.run('jobs.work');
      }
      const { isError, structuredContent } = await running;
      expect(isError, name).toBeFalsy();
      expect(told.length, name).toBeGreaterThan(0);
      expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
      if (name === 'svc_reflect') expect(structuredContent).toMatchObject({ job: { status: 'done' } });
    }
  });
});

test('a reflection that has begun is answered though its progress cannot be read', async () => {
  const { key } = await service.signUp();
  const door = await startMoodyService(service.url);
  const client = new Client({ name: 'svc-test', version: '1.0.0' });
  open.push(client);
  await client.connect(stdioTransport(built.bin, { SVC_API_URL: door.url, SVC_API_KEY: key }));
  const onprogress = () => {
    door.mood = 'refuses';
  };
  const answer = await client.callTool({ name: 'svc_reflect', arguments: {} }, { onprogress });
  expect(door.mood).toBe('refuses');
  expect(answer).toMatchObject({ structuredContent: { job: { status: 'queued' } } });
  await door.close();
});

describe.each(CASES.filter(({ door, mode }) => door === 'stdio' || mode !== 'legacy'))(
  'a client of revision $revision over $door that follows resources',
  ({ door, mode }) => {
    test('is told when they change, and of no others', async () => {
      const [mine, other] = [await service.signUp(), await service.signUp()];
      const agent = service.kit.engine.agent(mine.tenantId);
      const [kept, changed] = await Promise.all(
        ['one', 'two'].map(async (content) => (await agent.remember({ type: 'working', content })).memory.id),
      );
      const client = await connect(door, mode, mine.key);
      expect(client.getServerCapabilities()?.resources).toMatchObject({ subscribe: true });
      const told: string[] = [];
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        told.push(params.uri);
      });
      const uris = [`svc://memory/${changed}`, 'svc://boot'];
      const end =
        mode === 'legacy'
          ? await subscribe(client, uris)
          : await client.listen({ resourceSubscriptions: uris }).then((listening) => () => listening.close());
      await service.kit.engine.agent(other.tenantId).remember({ type: 'working', content: 'Not yours.' });
      await agent.update({ id: changed ?? '', content: 'two, changed' });
      await expect.poll(() => [...new Set(told)].sort(), PATIENT).toEqual([...uris].sort());
      expect(told).not.toContain(`svc://memory/${kept}`);
      await end();
    });
  },
);

describe.each(CASES.filter(({ mode }) => mode !== 'legacy'))(
  'a client of revision $revision over $door that listens for more than can be followed',
  ({ door, mode }) => {
    test('is acknowledged what is followed, and nothing else', async () => {
      const { key, tenantId } = await service.signUp();
      const uris = await memoriesOf(tenantId, 17);
      const client = await connect(door, mode, key);
      const asked = ['svc://elsewhere', ...uris];
      const listening = await client.listen({ resourceSubscriptions: asked });
      expect(listening.honoredFilter).toEqual({ resourceSubscriptions: uris.slice(0, 16) });
      await listening.close();
    });
  },
);

test('a client of 2025 learns that a resource is one too many, and follows it once it has left another', async () => {
  const { key, tenantId } = await service.signUp();
  const uris = await memoriesOf(tenantId, 17);
  const [first, last] = [uris[0] ?? '', uris[16] ?? ''];
  const client = await connect('stdio', MODES['of 2025'], key);
  for (const uri of uris.slice(0, 16)) await client.subscribeResource({ uri });
  await expect(client.subscribeResource({ uri: last })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining(
      'follows 16 resources, the most there may be: unsubscribe from one first',
    ),
  });
  await client.subscribeResource({ uri: first });
  await client.unsubscribeResource({ uri: first });
  await client.subscribeResource({ uri: last });
  const told: string[] = [];
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void told.push(params.uri),
  );
  const agent = service.kit.engine.agent(tenantId);
  await agent.update({ id: last.slice('svc://memory/'.length), content: 'changed' });
  await expect.poll(() => told, PATIENT).toEqual([last]);
});

/** Addresses of so many new memories. */
async function memoriesOf(tenantId: string, number: number): Promise<string[]> {
  const memories = Array.from({ length: number }, (_, place) => ({
    type: 'working' as const,
    content: `note ${place}`,
  }));
  const stored = await service.kit.engine.agent(tenantId).rememberBatch({ memories });
  return stored.memories.map(({ id }) => `svc://memory/${id}`);
}

async function subscribe(client: Client, uris: readonly string[]) {
  for (const uri of uris) await client.subscribeResource({ uri });
  await expect(client.subscribeResource({ uri: 'svc://elsewhere' })).rejects.toMatchObject({ code: -32602 });
  return async () => {
    for (const uri of uris) await client.unsubscribeResource({ uri });
  };
}

describe('revision 2026-07-28 over HTTP, by hand', () => {
  const META = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const post = async (message: object, headers: Record<string, string> = {}) => {
    const { key } = await service.signUp();
    const response = await fetch(new URL('/mcp', service.url), {
      method: 'POST',
      headers: {
        ...{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        ...{ Authorization: `Bearer ${key}`, ...headers },
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    const body: any = await response.json();
    return { status: response.status, headers: response.headers, body };
  };
  const standard = (method: string, name?: string) => ({
    ...{ 'MCP-Protocol-Version': MODERN, 'Mcp-Method': method },
    ...(name === undefined ? {} : { 'Mcp-Name': name }),
  });

  test('server/discover tells revisions, capabilities and identity', async () => {
    const { status, body } = await post(
      { method: 'server/discover', params: { _meta: META } },
      standard('server/discover'),
    );
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: [MODERN],
      capabilities: { tools: {}, completions: {}, logging: {}, resources: { subscribe: true } },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'svc' } },
    });
  });

  test('lists carry cache hints, private to the caller', async () => {
    const { body, headers } = await post(
      { method: 'tools/list', params: { _meta: META } },
      standard('tools/list'),
    );
    expect(body.result).toMatchObject({
      resultType: 'complete',
      ttlMs: expect.any(Number),
      cacheScope: 'private',
    });
    expect(headers.get('mcp-session-id')).toBeNull();
  });

  test.each([
    ['an unknown revision', { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }, {}, -32022],
    ['headers that say otherwise', META, { 'Mcp-Method': 'tools/call' }, -32020],
    ['no header for the revision', META, { 'MCP-Protocol-Version': '' }, -32020],
  ] as const)('%s is refused with the code of the revision', async (_what, _meta, headers, code) => {
    const sent = Object.fromEntries(
      Object.entries({
        ...standard('tools/list'),
        ...(_meta === META ? {} : { 'MCP-Protocol-Version': '2099-01-01' }),
        ...headers,
      }).filter(([, value]) => value !== ''),
    );
    const { status, body } = await post({ method: 'tools/list', params: { _meta } }, sent);
    expect([status, body.error.code]).toEqual([400, code]);
  });

  test('methods that it has no more, and unknown ones, are not found', async () => {
    for (const method of ['ping', 'logging/setLevel', 'resources/subscribe', 'no/such']) {
      const { body } = await post({ method, params: { _meta: META } }, standard(method));
      expect(body.error.code, method).toBe(-32601);
    }
  });

  test('a stream ends soon after its key is revoked', async () => {
    const { key, keyId, tenantId } = await service.signUp();
    const client = await connect('http', { pin: MODERN }, key);
    const listening = await client.listen({ resourceSubscriptions: ['svc://boot'] });
    await service.kit.engine.apiKeys.revoke(tenantId, keyId);
    expect(await listening.closed).toBe('remote');
  });
});
