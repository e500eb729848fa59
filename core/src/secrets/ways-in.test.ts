import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AgentMemory, fields, type OperationName, type Route, routes } from '../app/contract.ts';
import { callTool, findTool } from '../app/tools/call-tool.ts';
import { importAll, textOf } from '../features/import/import.fixture.ts';
import { useTestEngine } from '../testing/engine.fixture.ts';
import { isLong, startTestEngine } from '../testing/index.ts';
import { dump, linesWith } from './dump.fixture.ts';
import { coreOf, SAMPLES, type Sample } from './secrets.fixture.ts';

const HUMAN = { source: 'human' as const, credentialId: null };

const kit = useTestEngine();

interface World {
  readonly agent: AgentMemory;
  readonly human: AgentMemory;
}

/** How a call is made with a text in every field that takes one; a label is a short text on one line. */
type Way = (world: World, text: string, label: string) => Promise<object>;

const soul = async ({ agent }: World, text: string) => {
  const { memory } = await agent.remember({ type: 'core', category: 'soul', content: 'I am Ada.' });
  const { entry } = await agent.update({ id: memory.id, content: `I am Bob, not Ada. ${text}` });
  return entry?.id ?? '';
};

/** A change to a space's protected memory, asked for by an agent that may only write there. */
const changeInSpace = async ({ agent }: World, text: string) => {
  const { tenantId, agent: as } = await kit.tenant();
  const { space } = await agent.createSpace({ name: 'Team' });
  const space_id = space.id;
  await agent.setSpaceMember({ space_id, tenant_id: tenantId, right: 'write' });
  const asked = { type: 'core' as const, category: 'identity' as const, content: `We are a team. ${text}` };
  const { entry } = await as().remember({ ...asked, space_id });
  return { space_id, id: entry?.id ?? '' };
};

/** A name that is refused is not kept. */
const orRefused = (naming: Promise<object>) =>
  naming.catch((error: Error) => ({ redacted: ['all'], refused: error.message }));

/** Every operation that writes and takes a text. */
const WAYS: Readonly<Partial<Record<OperationName, Way>>> = {
  remember: ({ agent }, text, label) =>
    agent.remember(
      {
        type: 'semantic',
        content: text,
        tags: [`tag ${label}`],
        session_id: `s ${label}`,
      },
      { idempotencyKey: 'once' },
    ),
  rememberBatch: ({ agent }, text, label) =>
    agent.rememberBatch({
      memories: [
        { type: 'episodic', content: 'Nothing.' },
        { type: 'episodic', content: text, tags: [`tag ${label}`] },
      ],
    }),
  update: async ({ agent }, text, label) => {
    const { memory } = await agent.remember({ type: 'working', content: 'Before.' });
    return agent.update({ id: memory.id, content: text, tags: [label] });
  },
  compaction: async ({ agent }, text) => {
    await agent.compaction({
      phase: 'pre',
      transcript: `User: ${text}\n\nAssistant: noted ${text}`,
      context_hint: text,
    });
    return agent.compaction({ session_id: 'c', transcript: [{ role: 'user', content: text }] });
  },
  reportMoments: ({ agent }, text) =>
    agent.reportMoments({
      moments: [
        {
          id: '01a202c9-8604-7393-814b-d69318f0677d',
          at: kit.clock().toISOString(),
          kind: 'flush',
          outcome: 'stale',
          detail: text.slice(0, 200),
        },
      ],
    }),
  syncWorking: ({ agent }, text) => agent.syncWorking({ content: `# Plan\n${text}`, key: 'doc' }),
  syncCore: ({ agent }, text) =>
    agent.syncCore({ files: [{ path: 'TOOLS.md', content: `# Tools\n${text}` }] }),
  approveChange: async (world, text) =>
    world.human.approveChange({ id: await soul(world, text), reason: text }),
  rejectChange: async (world, text) =>
    world.human.rejectChange({ id: await soul(world, text), reason: text }),
  withdrawChange: async (world, text) =>
    world.agent.withdrawChange({ id: await soul(world, text), reason: text }),
  dismissDriftCheck: async ({ agent }, text) => {
    // Without a check to dismiss it is refused, and keeps nothing.
    const refused = await agent.dismissDriftCheck({ reason: text }).catch((error: Error) => error);
    return { redacted: [], refused: JSON.stringify(refused) };
  },
  renameTenant: ({ human }, _text, label) =>
    human.renameTenant({ display_name: `Ada ${label}`.slice(0, 100) }),
  createApiKey: ({ human }, _text, label) => human.createApiKey({ name: `key ${label}` }),
  import: async ({ agent }, text, label) => {
    const files = [
      { name: 'notes.md', content: `# Notes\n\n${text}\n` },
      { name: 'list.json', content: JSON.stringify([{ content: text, tags: [`tag ${label}`] }]) },
      { name: `${label.slice(0, 60)}.txt`, content: `Plain ${text}` },
    ].filter(({ name }) => !/[/\\:]/.test(name));
    const answer = await agent.import({ files });
    await kit.engine.background.run('jobs.work');
    const { job } = await agent.job({ id: answer.job?.id ?? '' });
    expect(job).toMatchObject({ status: 'done', errors_count: 0 });
    return { ...answer, job, redacted: job.result?.redacted === 0 ? [] : [job.result?.redacted] };
  },
  setVisibility: async ({ agent }, _text, label) => {
    const { session_key: sessionKey } = await agent.sessionKey();
    return agent.setVisibility({ tags: { [`tag ${label}`.slice(0, 64)]: 'full' } }, { sessionKey });
  },
  fileCommand: async ({ agent }, text) => {
    const path = '/memories/notes.md';
    await agent.fileCommand({ command: 'create', path, file_text: `- Before.\n${text}\n` });
    await agent.fileCommand({ command: 'insert', path, insert_line: 0, insert_text: `${text}\n` });
    return agent.fileCommand({ command: 'str_replace', path, old_str: '- Before.', new_str: text });
  },
  distress: ({ agent }, text) => agent.distress({ context: text }),
  createScheduleItem: ({ agent }, text, label) =>
    agent.createScheduleItem({ title: `Call ${label}`, note: text, due_at: '2027-01-01T00:00:00Z' }),
  updateScheduleItem: async ({ agent }, text, label) => {
    const { item } = await agent.createScheduleItem({ title: 'Call', due_at: '2027-01-01T00:00:00Z' });
    return agent.updateScheduleItem({ id: item.id, title: `Call ${label}`, note: text });
  },
  createSpace: ({ agent }, _text, label) =>
    orRefused(agent.createSpace({ name: `Team ${label}`.slice(0, 64) })),
  renameSpace: async ({ agent }, _text, label) => {
    const { space } = await agent.createSpace({ name: 'Team' });
    return orRefused(agent.renameSpace({ space_id: space.id, name: `Team ${label}`.slice(0, 64) }));
  },
  approveSpaceChange: async (world, text) =>
    world.agent.approveSpaceChange({ ...(await changeInSpace(world, text)), reason: text }),
  rejectSpaceChange: async (world, text) =>
    world.agent.rejectSpaceChange({ ...(await changeInSpace(world, text)), reason: text }),
  createWipItem: ({ agent }, text, label) => agent.createWipItem({ title: `Do ${label}`, note: text }),
  updateWipItem: async ({ agent }, text, label) => {
    const { item } = await agent.createWipItem({ title: 'Do' });
    return agent.updateWipItem({ id: item.id, title: `Do ${label}`, note: text });
  },
};
/** What takes a text, but only as an address to send events to. */
const ADDRESSES: readonly OperationName[] = [
  ...(['createEventEndpoint', 'updateEventEndpoint'] as const),
  // What an app asks for is used, and not kept but for its addresses.
  ...(['readAuthorization', 'approveAuthorization'] as const),
];

/** Whether a request has a field for any text. */
function takesText(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if (Array.isArray(schema)) return schema.some(takesText);
  const { type, format, description, ...parts } = schema as Record<string, unknown>;
  // A user's id that holds a secret is refused, and so is what is no id of a space.
  if (
    [fields.userId, fields.userOrAll, fields.spaceId]
      .map((field) => field.description)
      .includes(String(description))
  )
    return false;
  if (type === 'string') {
    const isTime = format === 'date-time' || String(description).startsWith('ISO 8601');
    return !('enum' in schema || 'const' in schema || format === 'uuid' || isTime);
  }
  return Object.values(parts).some(takesText);
}

const writing = Object.entries<Route>(routes).filter(
  ([, { method, access, request }]) =>
    method !== 'GET' &&
    access !== 'read' &&
    access !== 'public' &&
    takesText(z.toJSONSchema(request, { io: 'input', unrepresentable: 'any' })),
);

test('every operation that takes a text is tried here, and can answer what it replaced', () => {
  const names = writing.map(([name]) => name);
  expect(names.sort()).toEqual([...Object.keys(WAYS), ...ADDRESSES].sort());
  for (const [name, { response }] of writing) {
    if (ADDRESSES.includes(name as OperationName) || name === 'import') continue;
    expect(Object.keys((response as z.ZodObject).shape), name).toContain('redacted');
  }
});

const labelOf = ({ text, secret }: Sample) =>
  text.includes('\n') || text.length > 220 ? secret.split('\n')[0] : text;
const shortLabels = SAMPLES.filter(({ text }) => text.length <= 55 && !text.includes('\n'));

// Each takes every way in, so the short form tries every ninth: that a kind is found, the tests of the formats show.
const tried = SAMPLES.filter((_, index) => isLong() || index % 9 === 0);

describe.each(tried.map((sample) => [`${sample.kind} ${sample.text.slice(0, 12)}`, sample] as const))(
  '%s',
  (_name, sample) => {
    test('is readable nowhere, by whatever way it came', async () => {
      const { tenantId, agent: as } = await kit.tenant();
      const [agent, human] = [as(), as(HUMAN)];
      const secret = coreOf(sample);
      const label = shortLabels.includes(sample) ? String(labelOf(sample)) : 'plain';
      for (const [name, way] of Object.entries(WAYS)) {
        const answer = await way({ agent, human }, `It is ${sample.text} now.`, label);
        const shown = JSON.stringify(answer);
        expect(shown, name).not.toContain(secret);
        const hasPlace =
          label !== 'plain' ||
          !['renameTenant', 'createApiKey', 'setVisibility', 'createSpace', 'renameSpace'].includes(name);
        if (hasPlace && name !== 'dismissDriftCheck') expect(answer, name).toHaveProperty('redacted.0');
      }
      const dumped = await dump(kit);
      expect(linesWith(dumped, secret)).toEqual([]);
      expect(dumped).toContain('redacted');
      const outlets = [
        await textOf(kit.engine.streams(tenantId).export('json')),
        await textOf(kit.engine.streams(tenantId).export('markdown')),
        (await agent.boot()).injection,
        JSON.stringify(await agent.recall({ query: sample.text, threshold: 0, limit: 100 })),
        JSON.stringify(await human.guardianQueue()),
        JSON.stringify(await agent.jobs()),
      ];
      for (const outlet of outlets) expect(outlet).not.toContain(secret);
    });
  },
);

test('the answer names the field, the kind and the number, and a replay says the same', async () => {
  const agent = (await kit.tenant()).agent();
  const [own, token] = [SAMPLES[0]?.secret, SAMPLES[7]?.secret];
  const draft = { type: 'semantic' as const, content: `${own} and ${own}`, tags: ['x', `t ${token}`] };
  const redacted = [
    { path: 'content', kind: 'svc-api-key', count: 2 },
    { path: 'tags.1', kind: 'github-token', count: 1 },
  ];
  const first = await agent.remember(draft, { idempotencyKey: 'a' });
  expect(first).toMatchObject({ memory: { content: 'svc_[redacted] and svc_[redacted]' }, redacted });
  expect(await agent.remember(draft, { idempotencyKey: 'a' })).toEqual(first);
  const batch = await agent.rememberBatch({ memories: [{ type: 'working', content: 'x' }, draft] });
  expect(batch.redacted).toEqual(redacted.map((one) => ({ ...one, path: `memories.1.${one.path}` })));
  expect(await agent.remember({ type: 'semantic', content: 'plain' })).not.toHaveProperty('redacted');
});

test('a key that holds a secret is refused: without it, it would be the key of another memory', async () => {
  const { tenantId, agent: as } = await kit.tenant();
  const agent = as();
  const key = `of ${SAMPLES[7]?.secret}`;
  const memory = { type: 'semantic', content: 'plain' } as const;
  const { memory: plain } = await agent.remember(memory);
  for (const [path, call] of [
    ['key', () => agent.remember({ ...memory, key })],
    ['memories.1.key', () => agent.rememberBatch({ memories: [memory, { ...memory, key }] })],
    ['key', () => agent.update({ id: plain.id, key })],
    ['key', () => agent.syncWorking({ content: 'plain', key })],
  ] as const)
    await expect(call()).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path }] });
  const others = ['whales', 'sharks'].map((content, n) => ({ content, key: `${SAMPLES[7 + n]?.secret}` }));
  const job = await importAll(kit, tenantId, { 'x.json': JSON.stringify(others) });
  expect(job).toMatchObject({ result: { created: 2 }, errors_count: 2 });
});

test('sessions whose ids differ in a secret stay apart', async () => {
  const agent = (await kit.tenant()).agent();
  const ids = ['a1B2', 'c3D4'].map((part) => `ghp_${part.repeat(9)}`);
  for (const session_id of ids)
    await agent.remember({ type: 'episodic', content: `Said in ${ids.indexOf(session_id)}.`, session_id });
  for (const [n, session_id] of ids.entries()) {
    const { memories } = await agent.query({ session_id });
    expect(memories.map(({ content }) => content)).toEqual([`Said in ${n}.`]);
    expect((await agent.query({ session_id: memories[0]?.session_id })).memories).toEqual(memories);
  }
});

test('a tool says what was replaced', async () => {
  const agent = (await kit.tenant()).agent();
  const tool = findTool('svc_remember');
  if (!tool) throw new TypeError('no tool');
  const answer = await callTool(tool, agent, { type: 'semantic', content: SAMPLES[7]?.text });
  expect(answer.content[0]?.text).toContain(
    '"redacted":[{"path":"content","kind":"github-token","count":1}]',
  );
  expect(JSON.stringify(answer)).not.toContain(SAMPLES[7]?.secret);
});

test('plugins and the embedder see no secret', async () => {
  const seen: string[] = [];
  const { tenantId } = await kit.tenant();
  kit.engine.use({
    name: 'listening',
    hooks: {
      'memory:beforeStore': (draft) => {
        seen.push(draft.content);
        return draft;
      },
    },
  });
  await kit.engine.agent(tenantId).remember({ type: 'semantic', content: SAMPLES[7]?.text ?? '' });
  expect(seen).toEqual(['[redacted: github-token]']);
});

test('an export with secrets comes back without them', async () => {
  const from = await kit.tenant();
  await from.agent().remember({ type: 'semantic', content: 'PLACE here' });
  const document = await textOf(kit.engine.streams(from.tenantId).export('json'));
  const to = await kit.tenant();
  const text = JSON.stringify(`It is ${SAMPLES[17]?.text} here`).slice(1, -1);
  const job = await importAll(kit, to.tenantId, { 'x.json': document.replace('PLACE here', text) });
  expect(job.result).toMatchObject({ created: 1, redacted: 1 });
  expect((await to.agent().query({})).memories).toMatchObject([
    { content: 'It is [redacted: private-key] here' },
  ]);
});

test('with the setting off only the keys of the service are taken out', async () => {
  const open = await startTestEngine({ settings: { redactSecrets: false } });
  const { agent } = await open.tenant();
  const content = `${SAMPLES[0]?.secret} ${SAMPLES[7]?.secret}`;
  const { memory } = await agent().remember({ type: 'semantic', content });
  expect(memory.content).toBe(`svc_[redacted] ${SAMPLES[7]?.secret}`);
  await open.close();
});
