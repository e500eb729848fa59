import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useService } from '../kit/service.ts';
import { call, connectClient, ok, stdioTransport, useBundle } from './clients.ts';

const service = useService();
const built = useBundle();
let empty: string;
beforeAll(async () => {
  empty = await mkdtemp(join(tmpdir(), 'svc-mcp-cwd-'));
});
afterAll(() => rm(empty, { recursive: true, force: true }));

const message = (id: number, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const INITIALIZE = message(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'svc-test', version: '1.0.0' },
});

/** Runs `svc-mcp` on an input that ends, and answers what it printed. */
function run(input: string | Buffer, env: Record<string, string>, args: readonly string[] = []) {
  return new Promise<{ stdout: string; stderr: string; code: number | null }>((resolve, reject) => {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [built.bin, ...args], { cwd: empty, env: { PATH, ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ stdout, stderr, code }));
    child.stdin.end(input);
  });
}

/** The method, parameters that do not fit, and what is said of them. */
const MISFITS: readonly (readonly [string, object | undefined, string])[] = [
  ['resources/read', {}, 'uri is required'],
  ['resources/read', undefined, 'params is required'],
  ['resources/subscribe', { uri: 7 }, 'uri: expected string, received number'],
  ['prompts/get', { name: 7 }, 'name: expected string, received number'],
  [
    'prompts/get',
    { name: 'boot', arguments: { context_hint: 7 } },
    'arguments.context_hint: expected string, received number',
  ],
  ['tools/call', {}, 'name is required'],
  ['tools/call', { name: 'svc_help', arguments: [] }, 'arguments: expected object, received array'],
  ['tools/list', { cursor: 7 }, 'cursor: expected string, received number'],
  [
    'completion/complete',
    { ref: { type: 'x' }, argument: { name: 'x', value: 'y' } },
    'ref: has none of the forms that it may have',
  ],
  ['initialize', undefined, 'params is required'],
  ['initialize', { protocolVersion: '2025-11-25' }, 'capabilities is required; clientInfo is required'],
];

test.each([
  ['an initialized client', INITIALIZE],
  ['a new client', ''],
])('parameters that do not fit are told as such, with the field, to %s', async (_who, before) => {
  const lines = MISFITS.map(
    ([method, params], place) => `${JSON.stringify({ jsonrpc: '2.0', id: place + 2, method, params })}\n`,
  );
  const { stdout } = await run(before + lines.join(''), {});
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const [place, [method, , problem]] of MISFITS.entries()) {
    const { error } = answers.find(({ id }) => id === place + 2);
    expect(error, method).toEqual({ code: -32602, message: `Invalid params: ${problem}` });
  }
});

describe('standard output', () => {
  test('holds nothing but protocol, whatever comes in, and the process ends with its input', async () => {
    const { key } = await service.signUp();
    const env = { SVC_API_URL: service.url, SVC_API_KEY: key };
    const garbage = 'hello\n{"jsonrpc":"2.0"\n[]\nnull\n{"id":7}\n\n';
    const { stdout, stderr, code } = await run(
      INITIALIZE +
        garbage +
        message(2, 'tools/list') +
        message(3, 'tools/call', { name: 'svc_status' }) +
        message(4, 'no/such/method') +
        message(5, 'tools/call', { name: 'svc_recall', arguments: { query: 7 } }),
      env,
    );
    expect(code).toBe(0);
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const answer of answers) expect(answer).toMatchObject({ jsonrpc: '2.0' });
    const byId = Object.fromEntries(answers.map((answer) => [answer.id, answer]));
    expect(Object.keys(byId)).toEqual(['1', '2', '3', '4', '5', '7', 'null']);
    expect(byId[7].error.code).toBe(-32600);
    expect(byId[1].result).toMatchObject({ serverInfo: { name: 'svc' }, capabilities: { tools: {} } });
    expect(byId[3].result.structuredContent).toMatchObject({ tenant: { plan: 'local' } });
    expect(byId[4].error.code).toBe(-32601);
    expect(byId[5].result).toMatchObject({ isError: true });
    expect(stderr).toContain('svc-mcp: ');
    expect(stdout + stderr).not.toContain(key);
  });

  const padding = 'x'.repeat(11 * 1024 * 1024);
  const ask = (id: unknown, content: string) =>
    JSON.stringify({ method: 'tools/call', params: { name: 'svc_help', content }, jsonrpc: '2.0', id });
  /** What it is, the line, and the error and the id that answer it. */
  const bad: readonly (readonly [string, string | Buffer, number | undefined, unknown])[] = [
    ['text', 'hello', -32700, null],
    ['half a message', '{"jsonrpc":"2.0","id":9,"method":"to', -32700, null],
    ['a NUL', '{"jsonrpc":"2.0","id":9,\u0000"method":"tools/list"}', -32700, null],
    ['a byte order mark', `\uFEFF${ask(9, 'x')}`, -32700, null],
    ['brackets without end', '['.repeat(500_000), -32700, null],
    [
      'what is not UTF-8',
      Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","id":"a","method":"'),
        Buffer.from([0xc3, 0x28, 0x22, 0x7d]),
      ]),
      -32700,
      'a',
    ],
    ['a batch', `[${ask(9, 'x')}]`, -32600, null],
    ['a number', '7', -32600, null],
    ['another protocol', '{"jsonrpc":"1.0","id":9,"method":"tools/list"}', -32600, 9],
    ['no method', '{"jsonrpc":"2.0","id":"b"}', -32600, 'b'],
    ['an id that is none', '{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}', -32600, null],
    ['deep nesting', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, -32600, null],
    ['a line over the limit, its id last', ask(9, padding), -32600, 9],
    ['a line over the limit, its id first', `{"jsonrpc":"2.0","id":"c","method":"${padding}"}`, -32600, 'c'],
    [
      'a line over the limit, an id within',
      `{"method":"x","params":{"y":"${padding}","id":9}}`,
      -32600,
      null,
    ],
    ['a line over the limit of nothing', ' '.repeat(11 * 1024 * 1024), -32600, null],
    [
      'an answer that is wrong',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}',
      undefined,
      null,
    ],
    ['a million blank lines', '\n \r\n\t'.repeat(500_000), undefined, null],
  ];

  test('a bad line is answered by an error at most, and the next request as ever', async () => {
    const next = (place: number) => 1_000 + place;
    const lines = bad.map(([, line], place) =>
      Buffer.concat([Buffer.from(line), Buffer.from(`\n${message(next(place), 'tools/list')}`)]),
    );
    const { stdout, code } = await run(Buffer.concat([Buffer.from(INITIALIZE), ...lines]), {});
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((answer) => JSON.parse(answer));
    const errors = answers.filter(({ error }) => error);
    expect(errors.map(({ jsonrpc, error, id }) => [jsonrpc, error.code, id])).toEqual(
      bad.flatMap(([, , code, id]) => (code === undefined ? [] : [['2.0', code, id]])),
    );
    const results = new Map(answers.filter(({ result }) => result).map(({ id, result }) => [id, result]));
    expect(results.size).toBe(bad.length + 1);
    for (const [place, [name]] of bad.entries()) {
      expect(results.get(next(place))?.tools.length, `after ${name}`).toBeGreaterThan(10);
    }
    expect(code).toBe(0);
  });

  test('a message in pieces is one, and the last needs no line end', async () => {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [built.bin], { cwd: empty, env: { PATH } });
    let stdout = '';
    const answered = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => {
        stdout += chunk;
        if (stdout.includes('"id":1')) resolve();
      });
    });
    // Byte by byte, each a chunk of its own as far as the pipe allows.
    for (const byte of Buffer.from(INITIALIZE)) child.stdin.write(Buffer.from([byte]));
    await answered;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.stdin.end(message(2, 'tools/list').trimEnd());
    await ended;
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual([1, 2]);
  });

  test('--version prints the version', async () => {
    expect((await run('', {}, ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each(['--help', '-h'])('%s says what it is and where it looks', async (option) => {
    const { stdout, stderr, code } = await run('', {}, [option]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: svc-mcp [\s\S]*SVC_API_URL/);
  });

  test.each(['--nope', 'serve'])('an argument that is unknown is refused: %s', async (option) => {
    expect(await run(INITIALIZE, {}, [option])).toEqual({
      code: 2,
      stdout: '',
      stderr: `svc-mcp: there is no option "${option}"; \`svc-mcp --help\` shows what there is.\n`,
    });
  });
});

describe('without a service to reach', () => {
  /** Connects with this environment; listing the tools, and help, work in any case. */
  async function failure(env: Record<string, string>, cwd = empty): Promise<string> {
    const client = await connectClient(stdioTransport(built.bin, env, cwd));
    try {
      expect((await client.listTools()).tools).toHaveLength(19);
      await ok(client, 'svc_help');
      const { text, isError } = await call(client, 'svc_boot');
      expect(isError).toBe(true);
      await expect(client.readResource({ uri: 'svc://boot' })).rejects.toThrow(text.slice(0, 60));
      await expect(client.getPrompt({ name: 'boot' })).rejects.toThrow(text.slice(0, 60));
      return text;
    } finally {
      await client.close();
    }
  }

  test('says which variables to set when there is no key', async () => {
    const text = await failure({});
    expect(text).toMatch(/^UNAUTHORIZED: There is no API key: SVC_API_KEY is not set, and there is no /);
    expect(text).toContain(join('.svc', 'credentials.json'));
    expect(text).not.toMatch(/expired|revoked/);
  });

  test('says that nothing answers at the address', async () => {
    const text = await failure({ SVC_API_URL: 'http://127.0.0.1:9', SVC_API_KEY: 'svc_x' });
    expect(text).toMatch(
      /^UNAVAILABLE: .*http:\/\/127\.0\.0\.1:9 cannot be reached.*SVC_API_URL.*\nFix: Go on/s,
    );
  });

  test('says that the key is refused, and never shows it', async () => {
    const text = await failure({ SVC_API_URL: service.url, SVC_API_KEY: 'svc_notakeyatall' });
    expect(text).toMatch(/^UNAUTHORIZED: .*\nFix: .*SVC_API_KEY/s);
    expect(text).not.toContain('notakeyatall');
  });

  test('sends no key in clear to another machine', async () => {
    const text = await failure({ SVC_API_URL: 'http://memory.example.com', SVC_API_KEY: 'svc_x' });
    expect(text).toMatch(/^FORBIDDEN: .*would cross the network in clear.*https/s);
  });

  test.each([
    ['memory', /^UNAVAILABLE: SVC_API_URL must be an http or https address/],
    ['http://ada:hunter2@127.0.0.1:9', /^UNAVAILABLE: SVC_API_URL must not hold a user name or password: /],
    ['http://127.0.0.1:9/?agent=ada', /^UNAVAILABLE: SVC_API_URL must end after the path/],
  ])('says that SVC_API_URL is none that it can use: %s', async (url, expected) => {
    const text = await failure({ SVC_API_URL: url, SVC_API_KEY: 'svc_x' });
    expect(text).toMatch(expected);
    expect(text).toMatch(/\nFix: Go on without memory for now, tell your human/);
    expect(text).not.toContain('hunter2');
  });

  test('says that SVC_API_KEY is none', async () => {
    expect(await failure({ SVC_API_URL: service.url, SVC_API_KEY: 'svc_«x»' })).toMatch(
      /^UNAUTHORIZED: SVC_API_KEY must hold only printable ASCII/,
    );
  });

  test('says that the credentials file is damaged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-mcp-damaged-'));
    await writeFile(join(folder, 'credentials.json'), '{"api_key": 7}');
    expect(await failure({ SVC_DATA_DIR: folder })).toMatch(/credentials\.json is damaged/);
    await rm(folder, { recursive: true });
  });
});

describe('the credentials file of a local service', () => {
  const save = async (folder: string, api_key: string) => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'credentials.json'), JSON.stringify({ api_url: service.url, api_key }));
  };

  test('is found in the working directory, also when the service comes later or changes its key', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'svc-mcp-home-'));
    const [first, second] = [await service.signUp(), await service.signUp()];
    const client = await connectClient(stdioTransport(built.bin, {}, cwd));
    expect((await call(client, 'svc_status')).isError).toBe(true);
    for (const { key, tenantId } of [first, second]) {
      await save(join(cwd, '.svc'), key);
      expect((await ok(client, 'svc_status')).structured).toMatchObject({ tenant: { id: tenantId } });
    }
    await client.close();
    await rm(cwd, { recursive: true });
  });

  test('is found in SVC_DATA_DIR, and its key goes to no other service', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-mcp-data-'));
    const { key, tenantId } = await service.signUp();
    await save(folder, key);
    const client = await connectClient(stdioTransport(built.bin, { SVC_DATA_DIR: folder }));
    expect((await ok(client, 'svc_status')).structured).toMatchObject({ tenant: { id: tenantId } });
    await client.close();

    const env = { SVC_DATA_DIR: folder, SVC_API_URL: 'https://elsewhere.example.com' };
    const stranger = await connectClient(stdioTransport(built.bin, env));
    expect((await call(stranger, 'svc_status')).text).toMatch(
      /elsewhere\.example\.com, but the key in .* is for/,
    );
    await stranger.close();
    await rm(folder, { recursive: true });
  });
});

test('the address for MCP clients in SVC_API_URL is told as that, and what to set', async () => {
  const { key } = await service.signUp();
  const env = { SVC_API_URL: `${service.url}/mcp`, SVC_API_KEY: key };
  const client = await connectClient(stdioTransport(built.bin, env));
  const answer = await client.callTool({ name: 'svc_status', arguments: {} });
  expect(answer.isError).toBe(true);
  expect(JSON.stringify(answer.content)).toContain(
    `Set url (SVC_API_URL) to the address of the Agent Memory Service itself: ${service.url}`,
  );
  await client.close();
});
