import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOpenAiServer } from '../../../core/src/features/embedding/remote/openai-server.fixture.ts';
import { fillFolder, startService, svc, useFolder } from './cli.fixture.ts';

const folder = useFolder();
const server = await startOpenAiServer();
afterAll(() => server.close());

/** Each of several commands opens a database, which takes a slow machine seconds. */
const SLOW = 120_000;

const envOf = (name: string) => ({ SVC_DATA_DIR: join(folder.path, name), SVC_PORT: '0' });
const withNew = (name: string) => ({
  ...envOf(name),
  SVC_EMBEDDER: 'openai:new',
  SVC_EMBEDDER_URL: server.url,
  SVC_EMBEDDER_API_KEY: 'sk-very-secret',
});

const fill = (name: string) => fillFolder(join(folder.path, name));

beforeAll(() => fill('change'), SLOW);

test(
  'an embedder that is away is told before anything is changed',
  async () => {
    server.behave({ status: 401 });
    const { code, out, err } = await svc('reembed', withNew('change'));
    server.behave('works');
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toMatch(
      /^svc: The embedder openai:new at http:.* answered 401: correct SVC_EMBEDDER_API_KEY\.\n/,
    );
    expect(err).not.toContain('very-secret');
  },
  SLOW,
);

test('a tenant that does not exist is said, as other commands do', async () => {
  const { code, out, err } = await svc('reembed --tenant nope', envOf('change'));
  expect([code, out, err]).toEqual([
    2,
    '',
    expect.stringMatching(/^svc: There is no tenant nope\.\n {5}Tenants: .+ \(Ada\)\.\n$/),
  ]);
});

test(
  'a change of the embedder is carried out once, and said so',
  async () => {
    const first = await svc('reembed', withNew('change'));
    expect(first.out).toBe('openai:new answers now for 1 memory of 1 tenant.\n');
    expect(first.err).toContain('from static:use-lite-100d to openai:new');
    expect((await svc('reembed', withNew('change'))).out).toContain(
      'Nothing to do: openai:new answers already.',
    );
    expect((await svc('reembed', envOf('change'))).out).toContain(
      'static:use-lite-100d answers now for 1 memory',
    );
  },
  SLOW,
);

test(
  'a running service does it itself, and the command waits for it',
  async () => {
    await fill('running');
    await startService(withNew('running')).ready();
    // The service may have begun by itself, and then be done before it is asked.
    expect((await svc('reembed', withNew('running'))).out).toMatch(
      /^(openai:new answers now for 1 memory|Nothing to do: openai:new answers already\..* restart the service\.)/,
    );
    expect((await svc('reembed', withNew('running'))).out).toMatch(
      /^Nothing to do: openai:new answers already/,
    );
  },
  SLOW,
);

test.each([
  [
    { SVC_EMBEDDER: 'openai:small' },
    'SVC_EMBEDDER openai:small needs SVC_EMBEDDER_API_KEY for OpenAI, or SVC_EMBEDDER_URL',
  ],
  [{ SVC_EMBEDDER_CALIBRATION: '0.1,0.5,1' }, 'SVC_EMBEDDER_CALIBRATION has no use with SVC_EMBEDDER static'],
  [{ SVC_EMBEDDER: 'openai' }, 'SVC_EMBEDDER must be auto, static, openai:<model> or transformers:<model>'],
])('svc config tells a mistake in one line: %j', async (env, line) => {
  const { code, err } = await svc('config', env);
  expect(code).toBe(2);
  expect(err.trimEnd().split('\n')).toEqual([expect.stringContaining(line)]);
});

test('svc config shows the embedder, and not its key', async () => {
  const { out } = await svc('config', withNew('config'));
  expect(out).toMatch(/SVC_EMBEDDER +openai:new/);
  expect(out).toMatch(/SVC_EMBEDDER_API_KEY +\*\*\*/);
  expect(out).not.toContain('very-secret');
});

test(
  'svc doctor tries the embedder, and says what to do',
  async () => {
    const well = await svc('doctor', withNew('change'));
    expect(well.out).toMatch(/✓ Embedder: openai:new at http:\S+ gives vectors of 48 numbers/);
    server.behave({ status: 404 });
    const ill = await svc('doctor', withNew('change'));
    server.behave('works');
    expect(ill.out).toMatch(
      /✗ Embedder: .* answered 404: correct SVC_EMBEDDER_URL, which mostly ends in \/v1/,
    );
    expect(ill.out).toContain('Until then recall goes by words alone.');
    expect(ill.code).toBe(1);
    const missing = await svc('doctor', {
      ...envOf('change'),
      SVC_EMBEDDER: 'transformers:Xenova/all-MiniLM-L6-v2',
    });
    expect(missing.out).toContain('npm install @huggingface/transformers');
  },
  SLOW,
);
