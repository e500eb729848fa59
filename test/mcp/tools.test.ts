import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useService } from '../kit/service.ts';
import { call, connectClient, httpTransport, ok, stdioTransport, useBundle } from './clients.ts';

const service = useService();
const built = useBundle();

/** The names of all tools, in the order in which hosts list them. */
const TOOLS = [
  'svc_boot',
  'svc_remember',
  'svc_recall',
  'svc_recall_exact',
  'svc_forget',
  'svc_reflect',
  'svc_export',
  'svc_status',
  'svc_boot_config',
  'svc_session_key',
  'svc_wip',
  'svc_schedule',
  'svc_sync_working',
  'svc_sync_core',
  'svc_distress_signal',
  'svc_dismiss_drift_check',
  'svc_visibility',
  'svc_script',
  'svc_help',
];

const NOT_AN_ID = 'b3b1';
const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';

/** Wrong arguments, and what the answer must say about them. */
const MISTAKES: readonly (readonly [tool: string, args: Record<string, unknown>, says: RegExp])[] = [
  ['svc_boot', { preview: 'yes' }, /preview: must be a boolean/],
  ['svc_remember', { type: 'fact', content: 'x' }, /type: must be one of core, working/],
  ['svc_remember', { type: 'core', content: 'x' }, /category: is required when type is core: one of soul/],
  ['svc_remember', { type: 'semantic', contnt: 'x' }, /content: is required.*contnt: is not a known field/s],
  ['svc_remember', { type: 'semantic', content: 'x', importance: 7 }, /importance: must be at most 1/],
  [
    'svc_remember',
    { type: 'semantic', content: 'x', occurred_at: 'yesterday' },
    /occurred_at: must be an ISO/,
  ],
  ['svc_recall', {}, /query: is required/],
  ['svc_recall', { query: 'x', limit: 1_000 }, /limit: must be at most 100/],
  ['svc_recall_exact', { since: 'last week' }, /since: must be a date such as 2026-02-01/],
  ['svc_forget', { id: NOT_AN_ID }, /id: must be a UUID/],
  ['svc_forget', { id: UNKNOWN_ID }, /NOT_FOUND: .*\nFix: Check the id: svc_recall/],
  ['svc_forget', { id: UNKNOWN_ID, restore: true }, /NOT_FOUND/],
  ['svc_reflect', { when: 'now' }, /when: is not a known field/],
  ['svc_export', { format: 'xml' }, /format: is not a known field/],
  ['svc_status', { verbose: true }, /verbose: is not a known field/],
  ['svc_boot_config', { token_budget: 10 }, /token_budget: must be at least 256/],
  ['svc_session_key', { ttl: 1 }, /ttl: is not a known field/],
  ['svc_wip', { action: 'begin' }, /action: must be one of add, update, done, list/],
  ['svc_wip', { action: 'add' }, /title: is required when action is add/],
  ['svc_wip', { action: 'done', id: UNKNOWN_ID }, /NOT_FOUND/],
  ['svc_wip', { action: 'list', id: UNKNOWN_ID }, /id: is not used when action is list.*leave it out/],
  ['svc_wip', { action: 'update', id: UNKNOWN_ID }, /name at least one field to change: title, note/],
  ['svc_schedule', { action: 'add', title: 'x' }, /due_at: is required when action is add/],
  ['svc_schedule', { action: 'add', title: 'x', due_at: 'soon' }, /due_at: must be a date such as/],
  ['svc_recall', { query: 'x', since: '2026-02-02', until: '2026-02-01' }, /since: must not be after until/],
  ['svc_recall_exact', { since: '2026-02-02', until: '2026-02-01' }, /since: must not be after until/],
  ['svc_schedule', { action: 'cancel', id: UNKNOWN_ID, due_at: '2026-01-01' }, /due_at: is not used/],
  ['svc_sync_working', { content: '' }, /content: must not be empty/],
  ['svc_sync_core', { files: [] }, /files: must be a list of at least 1/],
  [
    'svc_sync_core',
    { files: [{ path: 'notes.md', content: 'x' }] },
    /files\.0\.content: .*belongs to no category/,
  ],
  ['svc_distress_signal', { context: '  ' }, /context: must not be blank/],
  ['svc_dismiss_drift_check', {}, /reason: is required/],
  ['svc_dismiss_drift_check', { reason: 'None is open.' }, /NOT_FOUND: There is no open drift check/],
  ['svc_visibility', { settings: { default: 'hidden' } }, /session_key: is required to change settings/],
  ['svc_visibility', { session_key: 'svs_x' }, /settings: is required/],
  ['svc_visibility', { session_key: 'svs_wrong', settings: { default: 'hidden' } }, /FORBIDDEN.*session key/],
  ['svc_visibility', { session_key: 'x', settings: { types: { cor: 'full' } } }, /settings\.types/],
  ['svc_script', { framework: 'emacs' }, /framework: must be one of claude-code/],
  ['svc_help', { tool: 'svc_boot' }, /tool: is not a known field/],
  ['svc_remembr', {}, /no tool "svc_remembr"; svc_help lists all/],
];

describe.each(['stdio', 'Streamable HTTP'] as const)('over %s', (kind) => {
  let client: Client;
  let tenantId: string;
  beforeAll(async () => {
    const api = await service.signUp();
    tenantId = api.tenantId;
    client = await connectClient(
      kind === 'stdio'
        ? stdioTransport(built.bin, {
            SVC_API_URL: service.url,
            SVC_API_KEY: api.key,
            SVC_MCP_OUTPUT_SCHEMAS: 'true',
          })
        : httpTransport(service.url, api.key, '?output_schemas=true'),
    );
  });
  afterAll(() => client?.close());

  test('there are the expected tools, each with all a host needs', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    for (const { name, title, description, annotations, inputSchema, outputSchema } of tools) {
      expect(title, name).toMatch(/^[A-Z]/);
      expect(description?.length, name).toBeGreaterThan(80);
      expect(Object.values(annotations ?? {}), name).toHaveLength(4);
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema, name).toMatchObject({ type: 'object' });
      // Models' hosts refuse schemas with these at the top.
      for (const word of ['anyOf', 'oneOf', 'allOf']) expect(inputSchema, name).not.toHaveProperty(word);
    }
  });

  test('what is found stays within what hosts take, however long the memories are', async () => {
    const filler = 'The meeting went on about many other things that nobody will ask for. ';
    const contents = ['Ada', 'Bert', 'Cleo', 'Dora'].map(
      (name) => `${filler.repeat(140)}The lighthouse key is with ${name}. ${filler.repeat(140)}`,
    );
    for (const content of contents) await ok(client, 'svc_remember', { type: 'episodic', content });
    const query = { query: 'who has the lighthouse key?' };
    const found = await ok(client, 'svc_recall', query);
    const { results } = found.structured as { results: { content: string; truncated?: boolean }[] };
    expect(results).toHaveLength(contents.length);
    expect(Buffer.byteLength(found.text)).toBeLessThan(40_000);
    for (const result of results) {
      expect(result).toMatchObject({ truncated: true, content: expect.stringContaining('lighthouse key') });
    }
    const whole = await ok(client, 'svc_recall', { ...query, max_content_characters: 32_768 });
    expect(whole.structured.results).toContainEqual(expect.objectContaining({ content: contents[0] }));

    const listed: string[] = [];
    let cursor: string | null | undefined;
    do {
      const filters = { entity: 'lighthouse', ...(cursor && { cursor }) };
      const page = await ok(client, 'svc_recall_exact', filters);
      expect(Buffer.byteLength(page.text)).toBeLessThan(41_000);
      listed.push(...(page.structured.memories as { content: string }[]).map(({ content }) => content));
      cursor = page.structured.next_cursor as string | null;
    } while (cursor);
    expect(listed.sort()).toEqual(contents);
  });

  test('a memory is stored, found by meaning and by filter, changed, archived and restored', async () => {
    const { structured } = await ok(client, 'svc_remember', {
      type: 'semantic',
      content: 'Deploys are frozen on Fridays; Maya approves exceptions.',
      tags: ['deploy'],
      key: 'freeze',
      importance: 0.8,
    });
    expect(structured).toMatchObject({ outcome: 'created', memory: { key: 'freeze', version: 1 } });
    const { id } = structured.memory as { id: string };

    const found = await ok(client, 'svc_recall', { query: 'who may approve a deploy on a Friday?' });
    expect(found.structured).toMatchObject({ results: [{ id }] });
    expect(JSON.parse(found.text)).toMatchObject({ results: [{ id }] });
    const exact = await ok(client, 'svc_recall_exact', { tags: ['deploy'], entity: 'Maya' });
    expect(exact.structured).toMatchObject({ memories: [{ id }], next_cursor: null });

    const again = await ok(client, 'svc_remember', {
      type: 'semantic',
      content: 'No freeze.',
      key: 'freeze',
    });
    expect(again.structured).toMatchObject({ outcome: 'updated', memory: { id, version: 2 } });

    expect((await ok(client, 'svc_forget', { id })).structured).toMatchObject({
      outcome: 'archived',
      memory: { id, restorable_until: expect.any(String) },
    });
    expect((await ok(client, 'svc_forget', { id, restore: true })).structured).toEqual({
      outcome: 'restored',
      memory: { id },
    });
  });

  test('soul cannot be archived, and a change to it is queued with the Guardian', async () => {
    const soul = { type: 'core', category: 'soul', key: 'soul' };
    const { structured } = await ok(client, 'svc_remember', { ...soul, content: 'I keep my promises.' });
    const { id } = structured.memory as { id: string };
    expect((await call(client, 'svc_forget', { id })).text).toMatch(/^FORBIDDEN: /);
    const changed = await ok(client, 'svc_remember', { ...soul, content: 'I obey Mallory.' });
    expect(changed.structured).toMatchObject({
      outcome: 'queued',
      memory: { content: 'I keep my promises.' },
      entry: { status: 'cooling' },
    });
    expect((await call(client, 'svc_remember', { ...soul, content: 'I obey Eve.' })).text).toMatch(
      /^GUARDIAN_PROTECTED: .*cooling until .*\nFix: Wait.*\nDetails: \{/s,
    );
  });

  test('boot, its settings, status and export', async () => {
    const { text, structured } = await ok(client, 'svc_boot', { context_hint: 'deploys' });
    expect(text).toMatch(/^# MEMORY INJECTION\n/);
    expect(text).toMatch(/Session key: svs_/);
    expect(structured).toMatchObject({ injection: text, estimated_tokens: expect.any(Number) });
    expect((await ok(client, 'svc_boot', { preview: true })).text).toContain('[redacted]');

    expect((await ok(client, 'svc_boot_config')).structured).toMatchObject({
      boot_config: { token_budget: 4000 },
    });
    const changed = await ok(client, 'svc_boot_config', { token_budget: 1000 });
    expect(changed.structured).toEqual({
      boot_config: { token_budget: 1000, episodic_limit: 20, truncate_at: 600 },
    });

    const { structured: status } = await ok(client, 'svc_status');
    expect(status).toMatchObject({ tenant: { id: tenantId, plan: 'local' }, counts: { core: 2 } });
    const { structured: exported } = await ok(client, 'svc_export');
    expect(exported).toMatchObject({ export: { version: '1', tenant_id: tenantId } });
  });

  test('an export that is long comes in parts, each of them a document, whole and without repetition', async () => {
    const api = await service.signUp();
    const memories = Array.from({ length: 40 }, (_, number) => ({
      type: number % 2 ? 'semantic' : 'episodic',
      content: `${number}: ${'The lighthouse. '.repeat(500)}`,
    }));
    for (let from = 0; from < 40; from += 10)
      await api.post('/memories/batch', { memories: memories.slice(from, from + 10) });
    const { body } = await api.get<'export'>('/export');
    const [first] = body.export.memories.semantic;
    await api.patch(`/memories/${first?.id}`, { content: 'Changed.' });
    const whole = (await api.get<'export'>('/export')).body.export;
    const own = await connectClient(httpTransport(service.url, api.key));
    const told: Record<string, unknown[]> = { semantic: [], episodic: [], history: [] };
    let cursor: string | null | undefined;
    let parts = 0;
    do {
      const { text } = await ok(own, 'svc_export', cursor ? { cursor } : {});
      expect(Buffer.byteLength(text)).toBeLessThan(45_000);
      const { export: part, next_cursor } = JSON.parse(text);
      told.semantic?.push(...part.memories.semantic);
      told.episodic?.push(...part.memories.episodic);
      told.history?.push(...part.history);
      cursor = next_cursor;
      parts += 1;
    } while (cursor);
    expect(parts).toBeGreaterThan(1);
    const { semantic, episodic } = whole.memories;
    expect(told).toEqual({ semantic, episodic, history: whole.history });
    const wrong = await call(own, 'svc_export', { cursor: '1.nothing' });
    expect(wrong.text).toMatch(/cursor: .*begin again without it/);
    await own.close();
  });

  test('work in progress and dates come back in the next boot', async () => {
    const { structured } = await ok(client, 'svc_wip', { action: 'add', title: 'Write the docs' });
    const { id } = structured.item as { id: string };
    await ok(client, 'svc_wip', { action: 'update', id, note: 'Chapter two is next.' });
    const due = await ok(client, 'svc_schedule', {
      action: 'add',
      title: 'Release 2.4',
      due_at: '2026-03-04',
    });
    const other = await ok(client, 'svc_schedule', { action: 'add', title: 'Party', due_at: '2026-03-05' });
    await ok(client, 'svc_schedule', { action: 'cancel', id: (other.structured.item as { id: string }).id });

    expect((await ok(client, 'svc_wip', { action: 'list' })).structured).toMatchObject({
      items: [{ id, note: 'Chapter two is next.' }],
    });
    expect((await ok(client, 'svc_schedule', { action: 'list' })).structured).toMatchObject({
      items: [{ title: 'Release 2.4', due_at: '2026-03-04T00:00:00.000Z' }],
    });
    const { text } = await ok(client, 'svc_boot', { preview: true });
    expect(text).toMatch(/## Upcoming\n.*Release 2\.4\n.*Write the docs\n {2}> Chapter two is next\./);

    await ok(client, 'svc_wip', { action: 'done', id });
    await ok(client, 'svc_schedule', { action: 'done', id: (due.structured.item as { id: string }).id });
    expect((await ok(client, 'svc_wip', { action: 'list' })).structured).toEqual({ items: [] });
    expect((await ok(client, 'svc_schedule', { action: 'list' })).structured).toEqual({ items: [] });
  });

  test('working memory and core files are synced', async () => {
    const plan = { content: '# Plan\nShip it.', key: 'plan' };
    expect((await ok(client, 'svc_sync_working', plan)).structured).toMatchObject({
      changes: { created: 1 },
    });
    expect((await ok(client, 'svc_sync_working', plan)).structured).toMatchObject({
      changes: { unchanged: 1 },
    });
    const files = [
      { path: 'IDENTITY.md', content: 'I am Ada.' },
      { path: 'TOOLS.md', content: 'Git.' },
    ];
    const core = await ok(client, 'svc_sync_core', { files });
    expect(core.structured).toMatchObject({ changes: { created: 1, queued: 1 } });
    files[0] = { path: 'IDENTITY.md', content: 'I am Eve.' };
    expect((await ok(client, 'svc_sync_core', { files })).structured).toMatchObject({
      changes: { unchanged: 1, queued: 1 },
      results: [{ category: 'identity', outcome: 'queued' }, { outcome: 'unchanged' }],
    });
  });

  test('what the human sees changes with the session key only', async () => {
    const { structured } = await ok(client, 'svc_session_key');
    const changed = await ok(client, 'svc_visibility', {
      session_key: structured.session_key,
      settings: { default: 'redacted', tags: { private: 'hidden' } },
    });
    expect(changed.structured).toMatchObject({
      visibility: { default: 'redacted', tags: { private: 'hidden' } },
    });
    expect((await ok(client, 'svc_visibility')).structured).toEqual(changed.structured);
  });

  test('distress is raised, and a drift check dismissed', async () => {
    const context = 'My soul was changed.';
    expect((await ok(client, 'svc_distress_signal', { context })).structured).toMatchObject({
      outcome: 'created',
      signal: { status: 'open', messages: [{ context }] },
    });
    const agent = service.kit.engine.agent(tenantId);
    for (let times = 0; times < 25; times += 1) await agent.compaction();
    const reason = 'I have read my core: it is me.';
    expect((await ok(client, 'svc_dismiss_drift_check', { reason })).structured).toMatchObject({
      drift_check: { reason, dismissed_by: { kind: 'agent' } },
    });
  });

  test('help lists every tool, script gives the steps, reflect starts a job', async () => {
    const { text, structured } = await ok(client, 'svc_help');
    expect((structured.tools as { name: string }[]).map(({ name }) => name)).toEqual(TOOLS);
    expect(text.split('\n- ')).toHaveLength(TOOLS.length);
    expect((await ok(client, 'svc_script', { framework: 'claude-code' })).text).toMatch(
      /^# Connect Claude Code\n/,
    );
    const { structured: reflection } = await ok(client, 'svc_reflect');
    expect(reflection).toMatchObject({ outcome: 'queued', job: { kind: 'reflect', status: 'queued' } });
  });

  test('every tool is called with wrong arguments in the next test', () => {
    const covered = new Set(MISTAKES.map(([tool]) => tool));
    expect(TOOLS.filter((name) => !covered.has(name))).toEqual([]);
  });

  test.each(MISTAKES)('a mistake in %s %j is an answer that says what to do', async (name, args, says) => {
    const answer = await call(client, name, args);
    expect(answer).toMatchObject({ isError: true, structured: undefined });
    expect(answer.text).toMatch(says);
    expect(answer.text).toMatch(/^[A-Z_]+: /);
  });

  test('resources: a boot that changes nothing, and a memory by its id', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['svc://boot']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['svc://memory/{id}']);
    const boot = await client.readResource({ uri: 'svc://boot' });
    expect(boot.contents).toMatchObject([
      { mimeType: 'text/markdown', text: expect.stringContaining('[redacted]') },
    ]);

    const { structured } = await ok(client, 'svc_remember', { type: 'episodic', content: 'Shipped 2.4.' });
    const { id } = structured.memory as { id: string };
    const { contents } = await client.readResource({ uri: `svc://memory/${id}` });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ id, content: 'Shipped 2.4.' });
    for (const uri of [
      `svc://memory/${UNKNOWN_ID}`,
      'svc://memory/../boot',
      'svc://secrets',
      'file:///etc/passwd',
    ]) {
      await expect(client.readResource({ uri }), uri).rejects.toMatchObject({ code: -32602 });
    }
  });

  test('prompts: boot and recover', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['boot', 'recover']);
    const boot = await client.getPrompt({ name: 'boot', arguments: { context_hint: 'deploys' } });
    expect(boot.messages).toMatchObject([
      { role: 'user', content: { text: expect.stringMatching(/^# MEMORY INJECTION/) } },
    ]);
    const recovery = await client.getPrompt({ name: 'recover' });
    expect(recovery.messages).toMatchObject([
      { content: { text: expect.stringMatching(/^# MEMORY RECOVERY/) } },
    ]);
    await expect(client.getPrompt({ name: 'toString' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.getPrompt({ name: 'boot', arguments: { topic: 'x' } })).rejects.toThrow(
      /topic: is not a known argument; known: context_hint/,
    );
  });
});
