import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentMemory } from '@svc-memory/core';
import { connect } from '@svc-memory/core/client';
import { installHooks } from '@svc-memory/hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp, preparedFolder, ROOT, startProcess } from '../kit/process.ts';
import {
  type Answer,
  EditorSession,
  installGeminiCli,
  type ModelRequest,
  type Place,
  promptOnce,
  type ScriptedModel,
  startScriptedModel,
} from './gemini-cli.fixture.ts';

cleanUp();

/** Of a conversation of so many tokens the host makes a summary before it goes on. */
const TOO_LONG = 900_000;
const SOUL = 'I keep every promise I gave.';

let memory: AgentMemory;
let model: ScriptedModel | undefined;
let place: Place;
let session: EditorSession | undefined;
let answerWith: (request: ModelRequest) => Answer = () => ({ text: 'Well.' });

beforeAll(async () => {
  const folder = await preparedFolder();
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  for (const path of [join(home, '.gemini'), join(project, '.gemini')])
    await mkdir(path, { recursive: true });
  const service = startProcess(folder);
  await service.ready;
  const { url, key } = await service.credentials();
  memory = connect({ url, apiKey: key });
  await memory.remember({ type: 'core', category: 'soul', content: SOUL });
  await writeFile(
    join(home, '.gemini/settings.json'),
    JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      mcpServers: {
        svc: {
          command: process.execPath,
          args: [join(ROOT, 'mcp/bin/svc-mcp.js')],
          env: { SVC_API_URL: url, SVC_API_KEY: key },
        },
      },
    }),
  );
  installHooks('gemini-cli', {
    userHome: home,
    project,
    env: {},
    credentials: join(folder, '.svc/credentials.json'),
    platform: process.platform,
  });
  model = await startScriptedModel((request) =>
    request.isTurn
      ? answerWith(request)
      : { text: '<state_snapshot>They talked of a harbour.</state_snapshot>' },
  );
  place = { script: await installGeminiCli(folder), home, project, model: model.url };
}, 300_000);
afterAll(async () => {
  await session?.close();
  await model?.close();
});

/** What the model was given for the newest turn. */
const newest = () =>
  model?.requests
    .filter(({ isTurn }) => isTurn)
    .at(-1)
    ?.texts.join('\n') ?? '';
const titlesIn = (text: string) => [...text.matchAll(/# (MEMORY [A-Z]+)/g)].map(([, title]) => title);

/** Prompts, and what memory brought the model with it. */
async function say(prompt: string, answer: (request: ModelRequest) => Answer) {
  answerWith = answer;
  await session?.prompt(prompt);
  const text = newest();
  const from = text.lastIndexOf(prompt);
  return { whole: text, added: text.slice(from + prompt.length) };
}

test('Gemini CLI calls the hooks for a whole session with a compression, and remembers in the next', async () => {
  session = new EditorSession(place);
  await session.open(place.project);
  const first = await say('Hello, I am Ada. The harbour gate code is 4711.', () => ({
    text: 'Good day, Ada.',
  }));
  expect(titlesIn(first.added)).toEqual(['MEMORY INJECTION']);
  expect(first.added).toContain(SOUL);

  let called = false;
  await say('Please remember that the lamp of the lighthouse is blue.', ({ tools }) => {
    const name = tools.find((tool) => tool.endsWith('svc_remember'));
    if (called || name === undefined) return { text: 'It is remembered.' };
    called = true;
    return { call: { name, args: { type: 'semantic', content: 'The lamp of the lighthouse is blue.' } } };
  });
  expect(called).toBe(true);
  const third = await say('Thanks, and good night.', () => ({
    text: 'Good night.',
    promptTokens: TOO_LONG,
  }));
  expect(titlesIn(third.added)).toEqual([]);

  // The summary is made before the model is asked, when the prompt's hook is over.
  const fourth = await say('I am back.', () => ({ text: 'Welcome back.' }));
  expect(model?.requests.some(({ isTurn }) => !isTurn)).toBe(true);
  expect(fourth.whole).not.toContain('4711');
  const fifth = await say('What did I tell you of the gate?', () => ({ text: 'Its code is 4711.' }));
  expect(titlesIn(fifth.added)).toEqual(['MEMORY RECOVERY']);
  expect(fifth.added).toContain('The harbour gate code is 4711.');
  const sixth = await say('Thank you very much indeed.', () => ({ text: 'With pleasure.' }));
  expect(titlesIn(sixth.added)).toEqual([]);
  await session.close();

  const { memories: turns } = await memory.query({ type: 'episodic', limit: 100 });
  expect(turns.map(({ content }) => content).reverse()).toEqual([
    'user: Hello, I am Ada. The harbour gate code is 4711.',
    'assistant: Good day, Ada.',
    'user: Please remember that the lamp of the lighthouse is blue.',
    expect.stringMatching(/^assistant: \[tools used\] \w*svc_remember/),
    'assistant: It is remembered.',
    'user: Thanks, and good night.',
    'assistant: Good night.',
    'user: I am back.',
    'assistant: Welcome back.',
    'user: What did I tell you of the gate?',
    'assistant: Its code is 4711.',
    'user: Thank you very much indeed.',
    'assistant: With pleasure.',
  ]);
  const { moments } = await memory.compactions({});
  const kinds = moments.map(({ kind }) => kind).reverse();
  expect(kinds.filter((kind) => kind !== 'flush')).toEqual(['boot', 'compaction', 'recovery']);

  answerWith = () => ({ text: 'Blue.' });
  expect(await promptOnce(place, 'Which colour has the lamp?')).toContain('Blue.');
  expect(newest()).toContain('The lamp of the lighthouse is blue.');
  expect(titlesIn(newest())).toEqual(['MEMORY INJECTION']);
}, 300_000);
