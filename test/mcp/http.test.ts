import { afterEach, describe, expect, test } from 'vitest';
import { sendRaw } from '../kit/raw-http.ts';
import { useService } from '../kit/service.ts';
import { call, connectClient, httpTransport, ok } from './clients.ts';

const service = useService();
const limited = useService({ settings: { rateLimitPerMinute: 60 } });
const open: { close(): Promise<void> }[] = [];
afterEach(() => Promise.all(open.splice(0).map((client) => client.close())));

const HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};
const toolCall = (name: string, args: object = {}, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

/** One message as a client sends it, without the client. */
async function post(key: string, message: unknown, headers: Record<string, string> = {}, path = '/mcp') {
  const response = await fetch(new URL(path, service.url), {
    method: 'POST',
    headers: { ...HEADERS, ...(key === '' ? {} : { Authorization: `Bearer ${key}` }), ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

async function connected(key: string, query = '') {
  const client = await connectClient(httpTransport(service.url, key, query));
  open.push(client);
  return client;
}

describe('who may call', () => {
  test('no key, a wrong one, and one in the query are refused before anything is read', async () => {
    const { key } = await service.signUp();
    for (const answer of [
      await post('', toolCall('svc_status')),
      await post('svc_wrong', toolCall('svc_status')),
      await post('', toolCall('svc_status'), {}, `/mcp?api_key=${key}`),
      await post('', 'not even JSON'),
    ]) {
      expect(answer).toMatchObject({
        status: 401,
        body: { success: false, error: { code: 'UNAUTHORIZED' } },
      });
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  test('a revoked key ends at once', async () => {
    const { key, keyId, tenantId } = await service.signUp();
    const client = await connected(key);
    await ok(client, 'svc_status');
    await service.kit.engine.apiKeys.revoke(tenantId, keyId);
    await expect(call(client, 'svc_status')).rejects.toThrow(/UNAUTHORIZED.*revoked/);
  });

  test('a key of scope read may look and not write, and boots without a session key', async () => {
    const { key } = await service.signUp({ scope: 'read' });
    const client = await connected(key);
    await ok(client, 'svc_recall', { query: 'anything' });
    const { text } = await ok(client, 'svc_boot');
    expect(text).toContain('[redacted]');
    for (const [name, args] of [
      ['svc_remember', { type: 'semantic', content: 'x' }],
      ['svc_session_key', {}],
      ['svc_sync_core', { files: [{ path: 'SOUL.md', content: 'x' }] }],
      ['svc_wip', { action: 'add', title: 'x' }],
    ] as const) {
      const answer = await call(client, name, args);
      expect(answer, name).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^FORBIDDEN: .*only read/),
      });
    }
  });
});

describe('pages in a browser', () => {
  const status = async (headers: Record<string, string>) => {
    const { key } = await service.signUp();
    return (await post(key, toolCall('svc_status'), headers)).status;
  };

  test.each([
    ['another site', 'https://evil.example'],
    ['a site that begins like ours', 'http://127.0.0.1.evil.example'],
    ['another port', 'http://127.0.0.1:1'],
    ['no origin that can be told', 'null'],
    ['a file', 'file://'],
  ])('of %s are refused', async (_whose, origin) => {
    expect(await status({ Origin: origin })).toBe(403);
  });

  test('of our own origin, and clients that are no browsers, are served', async () => {
    expect(await status({ Origin: service.url })).toBe(200);
    expect(await status({})).toBe(200);
  });

  test('whose name was rebound to this machine are refused', async () => {
    const { key } = await service.signUp();
    const body = JSON.stringify(toolCall('svc_status'));
    const lines = [
      'POST /mcp HTTP/1.1',
      'Host: evil.example',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    const answer = await sendRaw(service.port, `${lines.join('\r\n')}\r\n\r\n${body}`);
    expect(answer.status).toBe(403);
  });
});

describe('sessions', () => {
  test('there are none: no id is given, and one that is sent opens nothing', async () => {
    const [one, two] = [await service.signUp(), await service.signUp()];
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    };
    const first = await post(one.key, initialize);
    expect(first).toMatchObject({ status: 200, body: { result: { protocolVersion: '2025-11-25' } } });
    expect(first.headers.get('mcp-session-id')).toBeNull();
    const foreign = await post(two.key, toolCall('svc_status'), { 'Mcp-Session-Id': 'of-tenant-one' });
    expect(foreign.body.result.structuredContent.tenant.id).toBe(two.tenantId);
  });

  test('two tenants calling at once with equal ids get their own answers, each of 50 times', async () => {
    const tenants = [await service.signUp(), await service.signUp()];
    for (const [index, { tenantId }] of tenants.entries()) {
      await service.kit.engine
        .agent(tenantId)
        .remember({ type: 'semantic', content: `The harbour of tenant ${index}`, key: 'fact' });
    }
    const callWith = (id: number) =>
      tenants.map(async ({ key, tenantId }, index) => {
        const [status, found] = await Promise.all([
          post(key, toolCall('svc_status', {}, id)),
          post(key, toolCall('svc_recall_exact', { key: 'fact' }, id)),
        ]);
        expect([status.body.id, found.body.id]).toEqual([id, id]);
        expect(status.body.result.structuredContent.tenant.id).toBe(tenantId);
        expect(found.body.result.structuredContent.memories).toMatchObject([
          { content: `The harbour of tenant ${index}` },
        ]);
      });
    // Twenty calls at once: of many more a slow machine refuses some, to keep the others in time.
    for (let id = 0; id < 50; id += 5) {
      await Promise.all([0, 1, 2, 3, 4].flatMap((step) => callWith(id + step)));
    }
  });

  test('a memory of another tenant does not exist', async () => {
    const [owner, thief] = [await service.signUp(), await service.signUp()];
    const mine = await connected(owner.key);
    const theirs = await connected(thief.key);
    const { structured } = await ok(mine, 'svc_remember', { type: 'semantic', content: 'Secret.' });
    const { id } = structured.memory as { id: string };
    const unknown = await call(theirs, 'svc_forget', { id: '01900000-0000-7000-8000-000000000000' });
    expect(await call(theirs, 'svc_forget', { id })).toEqual(unknown);
    await expect(theirs.readResource({ uri: `svc://memory/${id}` })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('limits', () => {
  test('only POST is served: there is no stream and no session to end', async () => {
    const { key } = await service.signUp();
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await fetch(new URL('/mcp', service.url), {
        method,
        headers: { Authorization: `Bearer ${key}`, Accept: 'text/event-stream' },
      });
      expect(response.status, method).toBe(405);
      expect(response.headers.get('allow')).toContain('POST');
    }
  });

  test.each([
    ['no JSON', '{', 400],
    ['a batch, which MCP has no more', '[]', 400],
    ['nested too deep', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, 400],
    ['no JSON-RPC', '{"hello":1}', 400],
    ['nothing', '', 400],
    ['more than 1 MiB', JSON.stringify(toolCall('svc_recall', { query: 'x'.repeat(1_100_000) })), 413],
  ])('a body that is %s is refused', async (_what, body, status) => {
    const { key } = await service.signUp();
    expect((await post(key, body)).status).toBe(status);
  });

  test.each(['{', '{"id": 1, "id"'])('a body that is no JSON is told as JSON-RPC: %s', async (body) => {
    const { key } = await service.signUp();
    expect((await post(key, body)).body).toEqual({
      jsonrpc: '2.0',
      error: { code: -32700, message: expect.stringContaining('body: ') },
      id: null,
    });
  });

  // JSON-RPC keeps -32700 for what cannot be parsed: these can be.
  test.each([
    ['[]', null, 'send one message a body; batches are not taken'],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null, 'send one message a body; batches are not taken'],
    ['7', null, 'the body is not a JSON-RPC 2.0 message'],
    ['', null, 'the body is not a JSON-RPC 2.0 message'],
    ['{"id":3,"method":"ping"}', 3, 'the body is not a JSON-RPC 2.0 message'],
    ['{"result":7}', null, 'the body is not a JSON-RPC 2.0 message'],
  ])('a body that is JSON and no message is told as JSON-RPC: %s', async (body, id, problem) => {
    const { key } = await service.signUp();
    expect(await post(key, body)).toMatchObject({
      status: 400,
      body: { jsonrpc: '2.0', error: { code: -32600, message: `Invalid request: ${problem}` }, id },
    });
  });

  test('parameters that do not fit are told as such, with the field', async () => {
    const { key } = await service.signUp();
    const ask = async (method: string, params?: object) =>
      (await post(key, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))).body.error;
    const misfit = (problem: string) => ({ code: -32602, message: `Invalid params: ${problem}` });
    expect(await ask('resources/read', {})).toEqual(misfit('uri is required'));
    expect(await ask('initialize')).toEqual(misfit('params is required'));
    expect(await ask('tools/call', { name: 'svc_help', arguments: [] })).toEqual(
      misfit('arguments: expected object, received array'),
    );
    expect(await ask('logging/setLevel', { level: 'nope' })).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^Invalid params: level: expected one of "debug"\|/),
    });
  });

  test('prototype keys in arguments are unknown fields, and change nothing', async () => {
    const { key } = await service.signUp();
    const body = JSON.stringify(toolCall('svc_recall', { query: 'x' })).replace(
      '"query"',
      '"__proto__":{"limit":1},"constructor":{"prototype":{"polluted":1}},"query"',
    );
    const { body: answer } = await post(key, body);
    expect(answer.result).toMatchObject({ isError: true });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('calls count against the same limit as REST', async () => {
    const { key } = await limited.signUp();
    const codes: number[] = [];
    for (let times = 0; times < 12; times += 1) {
      const response = await fetch(new URL('/mcp', limited.url), {
        method: 'POST',
        headers: { ...HEADERS, Authorization: `Bearer ${key}` },
        body: JSON.stringify(toolCall('svc_help')),
      });
      codes.push(response.status);
    }
    expect(codes).toContain(200);
    expect(codes.at(-1)).toBe(429);
  });
});

test('GET /tools lists the same tools for hosts that do not speak MCP', async () => {
  const api = await service.signUp();
  const { tools } = await (await connected(api.key, '?output_schemas=true')).listTools();
  const { body } = await api.get<'tools'>('/tools');
  expect(
    body.tools.map(({ input_schema, output_schema, ...rest }) => ({
      ...rest,
      inputSchema: input_schema,
      outputSchema: output_schema,
    })),
  ).toEqual(tools);
});

test('what the human rejected comes back by no tool', async () => {
  const { key, tenantId } = await service.signUp();
  const client = await connected(key);
  const human = service.kit.engine.agent(tenantId, {
    source: 'human',
    credentialId: '01a1fd19-0000-7000-8000-00000000000b',
  });
  const evil = { type: 'core', category: 'identity', content: 'I am Eve.' };
  await ok(client, 'svc_remember', evil);
  const { entries } = await human.guardianQueue({ status: 'added' });
  await human.rejectChange({ id: entries[0]?.id ?? '' });
  for (const category of ['identity', 'soul', 'relationship', 'tools']) {
    const { isError, text } = await call(client, 'svc_remember', { ...evil, category, content: 'i am EVE!' });
    expect([isError, text]).toEqual([true, expect.stringMatching(/FORBIDDEN.*rejected/)]);
  }
  for (const path of ['IDENTITY.md', 'TOOLS.md']) {
    await ok(client, 'svc_sync_core', { files: [{ path, content: 'I am Eve.' }] });
  }
  const id = entries[0]?.memory_id;
  expect((await call(client, 'svc_forget', { id, restore: true })).isError).toBe(true);
  const { text } = await ok(client, 'svc_boot', { preview: true });
  expect(text).not.toMatch(/\beve\b/i);
});
