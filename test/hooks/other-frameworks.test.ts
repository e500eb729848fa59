import { execFile } from 'node:child_process';
import { appendFileSync, closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installHooks } from '@svc-memory/hooks';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../kit/api.ts';
import { useService } from '../kit/service.ts';
import { useMachines, warmUp } from './hook.fixture.ts';

const service = useService();
const newMachine = useMachines();
beforeAll(() => warmUp(service));

async function newSession(framework: string) {
  const api = await service.signUp();
  await api.post('/memories', { type: 'core', category: 'soul', content: 'I keep my promises.' });
  const machine = newMachine({ url: service.url, key: api.key });
  const path = join(machine.project, 'session.jsonl');
  return {
    api,
    machine,
    path,
    write: (...lines: readonly object[]) =>
      appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    fire: (input: object) => machine.fire(input, { framework }),
  };
}

const turnsOf = async (api: Api) =>
  (await api.get<'query'>('/memories/query?type=episodic&limit=100')).body.memories
    .map(({ content }) => content)
    .reverse();

const kindsOf = async (api: Api) =>
  (await api.get<'compactions'>('/compactions')).body.moments.map(({ kind }) => kind).reverse();

/** A message as two kinds of releases of Codex write it. */
const CODEX_MESSAGES = {
  'as an item': (type: 'user' | 'agent', text: string) => ({
    type: 'item_completed',
    item:
      type === 'user'
        ? { type: 'UserMessage', content: [{ type: 'text', text }] }
        : { type: 'AgentMessage', content: [{ type: 'Text', text }] },
  }),
  'as before items': (type: 'user' | 'agent', message: string) => ({ type: `${type}_message`, message }),
};

test.for(Object.entries(CODEX_MESSAGES))(
  'Codex CLI, messages %s: plain text at the start and after a compaction, nothing else on stdout',
  async ([, message]) => {
    const { api, path, write, fire } = await newSession('codex');
    const hook = (hook_event_name: string, more: object = {}) => ({
      session_id: '0197a8f2-0000-7000-8000-000000000001',
      transcript_path: path,
      cwd: '/project',
      hook_event_name,
      model: 'gpt',
      permission_mode: 'default',
      ...more,
    });
    const started = await fire({ ...hook('SessionStart', { source: 'startup' }), transcript_path: null });
    expect(started).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^# MEMORY INJECTION\n/) });
    const at = (second: number) => ({ timestamp: `2026-02-01T09:00:0${second}.000Z` });
    write(
      {
        ...at(0),
        type: 'session_meta',
        payload: { id: 'x', cwd: '/project', instructions: 'Secret rules.' },
      },
      {
        ...at(1),
        type: 'response_item',
        payload: {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: '<environment_context>' }],
        },
      },
      { ...at(2), type: 'event_msg', payload: message('user', 'Deploy to staging.') },
      {
        ...at(3),
        type: 'response_item',
        payload: {
          type: 'function_call',
          name: 'shell',
          arguments: '{"command":"make deploy"}',
          call_id: 'c',
        },
      },
      { ...at(4), type: 'event_msg', payload: message('agent', 'Staging is up.') },
    );
    expect(await fire(hook('Stop', { turn_id: '1', stop_hook_active: false }))).toMatchObject({
      out: '',
      err: '',
    });
    expect(await fire(hook('PreCompact', { turn_id: '2', trigger: 'auto' }))).toMatchObject({
      out: '',
      err: '',
    });
    expect(await turnsOf(api)).toEqual([
      'user: Deploy to staging.',
      'assistant: [tools used] shell: make deploy',
      'assistant: Staging is up.',
    ]);
    const restored = await fire(hook('SessionStart', { source: 'compact' }));
    expect(restored.out).toMatch(/^# MEMORY RECOVERY\n/);
    expect(restored.out).toContain('assistant: Staging is up.');
    expect(await kindsOf(api)).toEqual(['boot', 'flush', 'compaction', 'recovery']);
  },
);

test('Codex CLI gets an injection and an older copy of it that it passes on whole, whatever the script', async () => {
  const { api, machine } = await newSession('codex');
  const memories = Array.from({ length: 80 }, (_, index) => ({
    type: 'semantic',
    content: `${index}: ${'北方地区的季度报告再次提到灯塔。'.repeat(8)}`,
  }));
  await api.post('/memories/batch', { memories });
  const start = { session_id: 'c1', hook_event_name: 'SessionStart', source: 'startup', cwd: '/project' };
  const ways = [{}, { env: { SVC_API_URL: 'http://127.0.0.1:9' } }];
  for (const way of ways) {
    const { out } = await machine.fire(start, { framework: 'codex', ...way });
    // It takes four bytes for a token, and cuts what is longer than 2,500.
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(10_000);
    expect(Buffer.byteLength(out)).toBeGreaterThan(7_000);
    expect(out).toContain('I keep my promises.');
    expect(out.isWellFormed()).toBe(true);
  }
});

/** A session of Gemini CLI, whose hook answers are read as that host reads them. */
async function newGeminiSession() {
  const session = await newSession('gemini-cli');
  const { path, write, fire } = session;
  const answered = async (hook_event_name: string, more: object = {}) => {
    const input = { session_id: 'g1', transcript_path: path, cwd: '/project', hook_event_name, ...more };
    const { code, out, err } = await fire(input);
    expect([code, err]).toEqual([0, '']);
    const { hookSpecificOutput: answer = {} } = JSON.parse(out);
    return { ...answer, text: String(answer.additionalContext ?? '') };
  };
  let messages = 0;
  const message = (type: string, content: unknown) => {
    messages += 1;
    return { id: `m${messages}`, timestamp: new Date().toISOString(), type, content };
  };
  const said = (type: string, content: unknown) => write(message(type, content));
  const listed = (...lines: readonly object[]) => write({ $set: { messages: lines } });
  return { ...session, answered, message, said, listed };
}

test('Gemini CLI: JSON alone on stdout, and the recovery with the prompt after a compression', async () => {
  const { api, answered, message, said, listed, write } = await newGeminiSession();
  const started = await answered('SessionStart', { source: 'startup' });
  expect(started.hookEventName).toBe('SessionStart');
  expect(started.text).toMatch(/^# MEMORY INJECTION\n/);
  write({ sessionId: 'g1', projectHash: 'h', startTime: '2026-02-01T09:00:00.000Z' });
  listed(message('user', [{ text: '<session_context>\nToday is Sunday.\n</session_context>' }]));
  expect((await answered('BeforeAgent', { prompt: 'Deploy' })).text).toBe('');
  said('user', [
    { text: '<hook_context># MEMORY INJECTION\n&lt;b&gt;</hook_context>\n\nDeploy to staging.' },
    { text: '<hook_context># MEMORY RECALLED</hook_context>' },
  ]);
  const answer = message('gemini', 'Staging is up.');
  write(answer, answer, { $set: { lastUpdated: '2026-02-01T09:00:03.000Z' } });
  expect((await answered('AfterAgent', { prompt: 'Deploy', prompt_response: 'ok' })).text).toBe('');
  expect(await turnsOf(api)).toEqual(['user: Deploy to staging.', 'assistant: Staging is up.']);
  // It fires before every call of a model: only the transcript tells whether anything was compressed.
  expect((await answered('PreCompress', { trigger: 'auto' })).text).toBe('');
  expect((await answered('BeforeAgent', { prompt: 'On' })).text).toBe('');
  const summary = message('user', [{ text: '<state_snapshot>We deploy.</state_snapshot>' }]);
  listed(summary, message('gemini', [{ text: 'Got it.' }]));
  expect((await answered('AfterAgent')).text).toBe('');
  expect((await answered('BeforeAgent', { prompt: 'Go on' })).text).toMatch(/^# MEMORY RECOVERY\n/);
  expect((await answered('BeforeAgent', { prompt: 'And on' })).text).toBe('');
  expect((await answered('SessionEnd', { reason: 'exit' })).text).toBe('');
  expect(await kindsOf(api)).toEqual(['boot', 'flush', 'compaction', 'recovery']);
});

test.runIf(process.platform !== 'win32')(
  'Gemini CLI: the first prompt of a session that was begun long before is answered whatever was said until then',
  async () => {
    const { path, fire, message, listed } = await newGeminiSession();
    const promptText = async () => {
      const { out } = await fire({ session_id: 'g1', transcript_path: path, hook_event_name: 'BeforeAgent' });
      return JSON.parse(out).hookSpecificOutput?.additionalContext;
    };
    // Lines of 1 MiB, of which the disk holds the ends.
    const file = openSync(path, 'w');
    for (let line = 1; line <= 8 * 1_024; line += 1) writeSync(file, '\n', line * 1_048_576 - 1);
    closeSync(file);
    expect(await promptText()).toMatch(/^# MEMORY INJECTION\n/);
    listed(message('user', [{ text: 'We deploy.' }]), message('gemini', [{ text: 'Got it.' }]));
    expect(await promptText()).toMatch(/^# MEMORY RECOVERY\n/);
  },
);

test('Gemini CLI: a session whose start no hook tells begins with its first prompt, and one taken up again is no compression', async () => {
  const { api, answered, message, listed, write } = await newGeminiSession();
  expect((await answered('BeforeAgent', { prompt: 'Hello there, agent' })).text).toMatch(
    /^# MEMORY INJECTION\n/,
  );
  const [question, answer] = [message('user', 'Hello there, agent'), message('gemini', 'Good morning.')];
  write(question, answer);
  await answered('AfterAgent');
  await answered('SessionEnd', { reason: 'exit' });
  listed(question, answer);
  expect((await answered('SessionStart', { source: 'resume' })).text).toMatch(/^# MEMORY INJECTION\n/);
  listed(question, answer);
  expect((await answered('BeforeAgent', { prompt: 'On' })).text).toBe('');
  expect(await kindsOf(api)).not.toContain('recovery');
});

test('Cursor: JSON alone on stdout, turns without times kept once', async () => {
  const { api, path, write, fire } = await newSession('cursor');
  const hook = (hook_event_name: string, more: object = {}) => ({
    conversation_id: 'c1',
    generation_id: 'g',
    hook_event_name,
    cursor_version: '2.4.0',
    workspace_roots: ['/project'],
    transcript_path: path,
    ...more,
  });
  const started = await fire(hook('sessionStart', { is_background_agent: false, composer_mode: 'agent' }));
  expect(JSON.parse(started.out).additional_context).toMatch(/^# MEMORY INJECTION\n/);
  write(
    { role: 'user', message: { content: [{ type: 'text', text: '<user_query>\nDeploy.\n</user_query>' }] } },
    {
      role: 'assistant',
      message: { content: [{ type: 'tool_use', name: 'Shell', input: { command: 'make' } }] },
    },
    { role: 'assistant', message: { content: [{ type: 'text', text: 'Done.' }] } },
  );
  for (const event of ['stop', 'preCompact', 'sessionEnd']) {
    expect(await fire(hook(event))).toMatchObject({ code: 0, out: '{}', err: '' });
  }
  expect(await turnsOf(api)).toEqual([
    'user: Deploy.',
    'assistant: [tools used] Shell: make',
    'assistant: Done.',
  ]);
});

test('Cursor: words without a time that are said again are kept again, and a transcript that is sent again adds nothing', async () => {
  const { api, machine, path, write, fire } = await newSession('cursor');
  const stop = { conversation_id: 'c1', hook_event_name: 'stop', transcript_path: path };
  const say = (role: string, text: string) => write({ role, message: { content: [{ type: 'text', text }] } });
  for (const table of ['A', 'B']) {
    say('user', 'Yes, go on.');
    say('assistant', `Deleted table ${table}.`);
    await fire(stop);
  }
  const kept = async () => (await turnsOf(api)).sort();
  const said = [
    'assistant: Deleted table A.',
    'assistant: Deleted table B.',
    'user: Yes, go on.',
    'user: Yes, go on.',
  ];
  expect(await kept()).toEqual(said);
  rmSync(join(machine.home, 'hooks'), { recursive: true });
  await fire(stop);
  expect(await kept()).toEqual(said);
});

test('turns are kept that have a role, a time or a session which the service refuses', async () => {
  const { api, machine, path, write } = await newSession('generic');
  const role = `${'x'.repeat(63)}🦉`;
  write(
    { role: 'us\u0000er', content: 'One.' },
    { role: `${role}y`, content: 'Two.' },
    { role: 'user', content: 'Three.', timestamp: '+020000-01-01T00:00:00Z' },
  );
  const args = ['turn-end', '--session', 'a\u200bb ', '--transcript', path];
  expect(await machine.fire('', { framework: 'generic', args })).toMatchObject({ code: 0, err: '' });
  expect(await turnsOf(api)).toEqual(['user: One.', `${role}: Two.`, 'user: Three.']);
  const { body } = await api.get<'query'>('/memories/query?session_id=ab');
  expect(body.memories).toHaveLength(3);
});

test.each([
  ['claude-code', 'PreCompact', '<system-reminder>'],
  ['gemini-cli', 'SessionEnd', '<hook_context>'],
  ['cursor', 'preCompact', '<user_query>'],
])('a long text of marks that never end is kept in time from %s', async (framework, event, mark) => {
  const { api, path, write, fire } = await newSession(framework);
  const content = `Deploy. ${mark.repeat(60_000)}`;
  write({ type: 'user', role: 'user', content, message: { role: 'user', content } });
  await fire({ hook_event_name: event, session_id: 's', transcript_path: path });
  expect((await turnsOf(api))[0]).toMatch(/^user: Deploy\. /);
});

describe('the script for other hosts', () => {
  test.runIf(process.platform !== 'win32')('takes the event and the transcript as arguments', async () => {
    const { api, machine, path, write } = await newSession('generic');
    const { files } = installHooks('generic', {
      userHome: machine.project,
      project: machine.project,
      env: {},
      credentials: join(machine.project, 'it is mine', 'credentials.json'),
      platform: process.platform,
    });
    const run = (...args: string[]) =>
      execute(files[0] ?? '', args, { SVC_API_URL: service.url, SVC_API_KEY: api.key });
    expect((await run('session-start')).out).toMatch(/^# MEMORY INJECTION\n/);
    write({ role: 'user', content: 'Deploy.' }, { role: 'system', content: 'Rules.' });
    writeFileSync(join(machine.home, 'WORKING.md'), 'Deploying.');
    const flushed = await run('before-compaction', '--session', 's1', '--transcript', path);
    expect(flushed).toEqual({ code: 0, out: '', err: '' });
    expect(await turnsOf(api)).toEqual(['user: Deploy.']);
    expect(machine.snapshot()).toContain('Deploying.');
    expect((await run('after-compaction', '--session', 's1')).out).toMatch(/^# MEMORY RECOVERY\n/);
  });
});

/** The plugin for OpenCode as installed, and the sessions whose messages it asked for. */
async function newPlugin() {
  const { api, machine } = await newSession('opencode');
  const credentials = join(machine.project, 'credentials.json');
  writeFileSync(credentials, JSON.stringify({ api_url: service.url, api_key: api.key }));
  const place = { userHome: machine.project, project: machine.project, env: {}, credentials };
  const { files } = installHooks('opencode', { ...place, platform: process.platform });
  const { SvcMemory } = await import(pathToFileURL(files[0] ?? '').href);
  const kept: string[] = [];
  const messages = async ({ path: { id } }: { path: { id: string } }) => {
    kept.push(id);
    return { data: [] };
  };
  return { plugin: await SvcMemory({ client: { session: { messages } } }), kept };
}

test('the plugin for OpenCode lets sessions go that were deleted, or used before many others', async () => {
  const { plugin, kept } = await newPlugin();
  // A message without a text makes nothing but the session.
  const use = (sessionID: string) => plugin['chat.message']({ sessionID }, { parts: [] });
  const ids = Array.from({ length: 23 }, (_, n) => `s${n}`);
  for (const id of ids) {
    await use(id);
    if (id === 's10') await use('s0');
  }
  await expect.poll(() => kept).toEqual(['s1', 's2', 's3']);
  await plugin.event({ event: { type: 'session.deleted', properties: { info: { id: 's5' } } } });
  await plugin.dispose();
  expect(kept.slice(3).sort()).toEqual(ids.filter((id) => !['s1', 's2', 's3', 's5'].includes(id)).sort());
});

test('the plugin for OpenCode gives the injection again after a compaction that fails', async () => {
  const { plugin } = await newPlugin();
  const systemPrompt = async () => {
    const output = { system: [] as string[] };
    await plugin['experimental.chat.system.transform']({ sessionID: 's' }, output);
    return output.system.join();
  };
  expect(await systemPrompt()).toContain('I keep my promises.');
  await plugin['experimental.session.compacting']({ sessionID: 's' });
  expect(await systemPrompt()).toBe('');
  // The host tells of no failure: it is idle again.
  await plugin.event({ event: { type: 'session.idle', properties: { sessionID: 's' } } });
  expect(await systemPrompt()).toContain('I keep my promises.');
});

function execute(file: string, args: string[], env: Record<string, string>) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const started = execFile(file, args, { env: { PATH: process.env.PATH, ...env } }, (_error, out, err) =>
      resolve({ code: started.exitCode, out, err }),
    );
    started.stdin?.end();
  });
}
