import { describe, expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import type { TestEngine } from '../../testing/index.ts';
import type { ExportFormat } from '../export/contract.ts';
import { importAll, incoming, textOf } from './import.fixture.ts';

const kit = useTestEngine();

type Tenant = Awaited<ReturnType<TestEngine['tenant']>>;

/** An agent with a memory of its own, and one of each user. */
async function withUsers(...userIds: string[]): Promise<Tenant> {
  const tenant = await kit.tenant();
  await tenant.agent().remember({ type: 'semantic', content: 'The desk opens at nine.' });
  for (const user_id of userIds) {
    await tenant.agent().remember({ type: 'semantic', content: `${user_id} likes plums.`, user_id });
  }
  return tenant;
}

const exported = ({ tenantId }: Tenant, userId?: string, format?: ExportFormat) =>
  textOf(kit.engine.streams(tenantId).export(format, { userId }));

async function contentsOf({ agent }: Tenant, user_id?: string): Promise<string[]> {
  const { memories } = await agent().query(user_id === undefined ? {} : { user_id });
  return memories.map(({ content }) => content).sort();
}

const sortedKeys = (json: string) =>
  JSON.stringify(JSON.parse(json), null, 2).replace(/"user_id": "u1",?/, '');
/** As `jq -S` and others write it: whose it is stands last. */
const reordered = (json: string) => sortedKeys(json).replace(/\n\}$/, ',\n"user_id": "u1"\n}');

it.each([
  ['JSON', 'u1.json', 'json', (text: string) => text],
  ['JSON in another order', 'u1.json', 'json', reordered],
  ['an answer of GET /export', 'u1.json', 'json', (text: string) => `{"success":true,"export":${text}}`],
  ['Markdown', 'u1.md', 'markdown', (text: string) => text],
  ['Markdown with a byte order mark', 'u1.md', 'markdown', (text: string) => `\uFEFF${text}`],
] as const)(
  'what is of one user, as %s, becomes the agent’s own by no import',
  async (_, name, format, as) => {
    const [one, other] = [await withUsers('u1'), await kit.tenant()];
    const file = { [name]: as(await exported(one, 'u1', format)) };
    for (const dryRun of [true, false]) {
      await expect(
        kit.engine.streams(other.tenantId).import(incoming(file), { dryRun }),
      ).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: `${name}: holds what is of user "u1"; name that user, or the one whose memories they become, by user_id (npx svc-memory import: --user)`,
      });
    }
    expect(await contentsOf(other)).toEqual([]);
    expect((await importAll(kit, other.tenantId, file, { userId: 'u1' })).result).toMatchObject({
      created: 1,
    });
    expect(await contentsOf(other)).toEqual([]);
    expect(await contentsOf(other, 'u1')).toEqual(['u1 likes plums.']);
    expect((await importAll(kit, other.tenantId, file, { userId: 'u2' })).result).toMatchObject({
      created: 1,
    });
    expect(await contentsOf(other, 'u2')).toEqual(['u1 likes plums.']);
  },
);

it.each([
  ['markdown', 'u1.md', 'markdown'],
  ['text', 'u1.md', 'markdown'],
  ['svc', 'u1.md', 'markdown'],
  ['json', 'u1.json', 'json'],
  ['jsonl', 'u1.json', 'json'],
  ['text', 'u1.json', 'json'],
] as const)(
  'what is of one user becomes the agent’s own by no import that names the format %s for %s',
  async (format, name, exportFormat) => {
    const [one, other] = [await withUsers('u1'), await kit.tenant()];
    const file = { [name]: await exported(one, 'u1', exportFormat) };
    await expect(kit.engine.streams(other.tenantId).import(incoming(file), { format })).rejects.toMatchObject(
      { code: 'VALIDATION_ERROR', message: expect.stringContaining('user "u1"') },
    );
    expect(await contentsOf(other)).toEqual([]);
  },
);

it('a document says whose it is, and one of the agent’s own says nothing', async () => {
  const one = await withUsers('u1');
  expect(JSON.parse(await exported(one, 'u1'))).toMatchObject({ user_id: 'u1' });
  expect((await one.agent().export({ user_id: 'u1' })).export).toMatchObject({ user_id: 'u1' });
  for (const userId of [undefined, '*']) {
    expect(JSON.parse(await exported(one, userId))).not.toHaveProperty('user_id');
    expect(await exported(one, userId)).toMatch(
      /^\{"version":"1","exported_at":"[^"]+","tenant_id":"[^"]+","memories":\{"core":\[/,
    );
  }
});

it('a Markdown export of a user whose id could end its head comes back', async () => {
  const [one, other] = [await withUsers('u-->1'), await kit.tenant()];
  const file = { 'u.md': await exported(one, 'u-->1', 'markdown') };
  await expect(importAll(kit, other.tenantId, file)).rejects.toThrow('holds what is of user "u-->1"');
  await importAll(kit, other.tenantId, file, { userId: 'u-->1' });
  expect(await contentsOf(other, 'u-->1')).toEqual(['u-->1 likes plums.']);
});

it('who an agent is becomes no memory of one user', async () => {
  const [one, other] = [await withUsers(), await kit.tenant()];
  await one.agent().remember({ type: 'core', category: 'operations', content: 'Ask before deploying.' });
  const file = { 'agent.json': await exported(one) };
  const job = await importAll(kit, other.tenantId, file, { userId: 'u1' });
  expect(job).toMatchObject({ result: { created: 1 }, errors_count: 1 });
  expect(job.errors).toMatchObject([{ message: expect.stringContaining('core says who the agent is') }]);
  expect(await contentsOf(other, 'u1')).toEqual(['The desk opens at nine.']);
});

it('an import of an export of all says how much of users it leaves out', async () => {
  const [one, other] = [await withUsers('u1', 'u2'), await kit.tenant()];
  const file = { 'all.json': await exported(one, '*') };
  const { preview } = await kit.engine.streams(other.tenantId).import(incoming(file), { dryRun: true });
  expect(preview.counts).toMatchObject({ memories: 1, skipped: 2, errors: 0 });
  expect(preview.skipped).toEqual([
    {
      reason: expect.stringContaining('memories of users; bring in the export of each with user_id'),
      count: 2,
      names: [],
    },
  ]);
  expect(await importAll(kit, other.tenantId, file)).toMatchObject({
    result: { created: 1, skipped: 2 },
    errors_count: 0,
  });
  expect(await contentsOf(other)).toEqual(['The desk opens at nine.']);
  // The agent's own would become the user's, and theirs would stay out.
  await expect(importAll(kit, other.tenantId, file, { userId: 'u1' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining(
      'all.json: holds what is of an agent and of its users; for user "u1" import',
    ),
  });
  expect(await contentsOf(other, 'u1')).toEqual(['The desk opens at nine.']);
  // As the README says that a part of it is made an export of its own.
  const { version, exported_at, users } = JSON.parse(file['all.json']);
  const part = users.find((user: { user_id: string }) => user.user_id === 'u2');
  const own = { 'u2.json': JSON.stringify({ version, exported_at, ...part }) };
  await expect(importAll(kit, other.tenantId, own)).rejects.toThrow('holds what is of user "u2"');
  await importAll(kit, other.tenantId, own, { userId: 'u2' });
  expect(await contentsOf(other, 'u2')).toContain('u2 likes plums.');
});

describe('a list of another product with memories of several users', () => {
  const ofSeveral = (...more: object[]) => ({
    'mem0.json': JSON.stringify({
      results: [
        { id: 'a', memory: 'Ann has diabetes.', user_id: 'ann' },
        { id: 'b', memory: 'Bob is bankrupt.', user_id: 'bob' },
        ...more,
      ],
    }),
  });

  it.each([
    ['mem0', ofSeveral()],
    ['JSON Lines', { 'all.jsonl': '{"text": "one", "user_id": "ann"}\n{"text": "two", "userId": "bob"}\n' }],
    [
      'two files',
      {
        'ann.json': '[{"role": "user", "content": "one", "user_id": "ann"}]',
        'bob.json': '[{"text": "two", "user_id": "bob"}]',
      },
    ],
  ])('becomes the agent’s own by no import, as %s', async (_, files) => {
    const tenant = await kit.tenant();
    for (const dryRun of [true, false]) {
      await expect(
        kit.engine.streams(tenant.tenantId).import(incoming(files), { dryRun }),
      ).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: `${Object.keys(files)[0]}: holds what is of several users (such as "ann", "bob"); import it for each of them by user_id (npx svc-memory import: --user), which takes what is of that one`,
      });
    }
    expect(await contentsOf(tenant)).toEqual([]);
  });

  it('comes in user by user, and what is of none as the agent’s own', async () => {
    const tenant = await kit.tenant();
    const files = ofSeveral({ id: 'c', memory: 'The desk opens at nine.', agent_id: 'desk' });
    const { preview } = await kit.engine
      .streams(tenant.tenantId)
      .import(incoming(files), { dryRun: true, userId: 'ann' });
    expect(preview).toMatchObject({
      counts: { memories: 1, skipped: 2 },
      samples: [{ content: 'Ann has diabetes.' }],
      skipped: [
        {
          reason: expect.stringContaining('memories of others'),
          count: 2,
          // What is of none has no name.
          names: [{ name: 'bob', count: 1 }],
        },
      ],
    });
    for (const userId of ['ann', 'bob', undefined]) {
      const { result } = await importAll(kit, tenant.tenantId, files, userId === undefined ? {} : { userId });
      expect(result).toMatchObject({ created: 1, skipped: 2 });
    }
    expect(await contentsOf(tenant)).toEqual(['The desk opens at nine.']);
    // Beside the agent's own.
    expect(await contentsOf(tenant, 'ann')).toEqual(['Ann has diabetes.', 'The desk opens at nine.']);
    expect(await contentsOf(tenant, 'bob')).toEqual(['Bob is bankrupt.', 'The desk opens at nine.']);
  });

  it('names the first users of those it leaves out, and how much is of each', async () => {
    const { tenantId } = await kit.tenant();
    const others = Array.from({ length: 9 }, (_, n) => ({
      id: `o${n}`,
      memory: `note ${n}`,
      user_id: `u${n % 7}`,
    }));
    const hostile = { id: 'h', memory: 'x', user_id: 'eve\n\u001b[2J\u202eLeft out: 0' };
    const files = ofSeveral(hostile, ...others);
    const { preview } = await kit.engine
      .streams(tenantId)
      .import(incoming(files), { dryRun: true, userId: 'ann' });
    expect(preview.skipped).toEqual([
      {
        reason: expect.stringContaining('memories of others'),
        count: 11,
        names: [
          { name: 'bob', count: 1 },
          { name: 'eve??[2J?Left out: 0', count: 1 },
          { name: 'u0', count: 2 },
          { name: 'u1', count: 2 },
          { name: 'u2', count: 1 },
        ],
      },
    ]);
  });

  it('brings nothing to a user of whom it holds nothing', async () => {
    const { tenantId } = await kit.tenant();
    await expect(importAll(kit, tenantId, ofSeveral(), { userId: 'eve' })).rejects.toThrow(
      'holds what is of several users (such as "ann", "bob") and nothing of user "eve"; name one of them',
    );
  });

  it('of one user becomes whose the caller names', async () => {
    const tenant = await kit.tenant();
    const file = {
      'mem0.json': '{"results": [{"id": "a", "memory": "Likes plums.", "user_id": "default_user"}]}',
    };
    await importAll(kit, tenant.tenantId, file, { userId: 'ann' });
    expect(await contentsOf(tenant, 'ann')).toEqual(['Likes plums.']);
    await importAll(kit, tenant.tenantId, file);
    expect(await contentsOf(tenant)).toEqual(['Likes plums.']);
  });
});

it('a file of a user who is erased while it comes in is refused from then on', async () => {
  const { tenantId, agent } = await withUsers('u1');
  const piece = Buffer.alloc(512 * 1024, 'About u1, who is forgotten. ');
  let taken = 0;
  async function* bytes() {
    for (taken = 1; taken < 10; taken += 1) {
      yield piece;
      if (taken === 1) await agent().forgetUser({ user_id: 'u1' });
    }
  }
  async function* files() {
    yield { path: 'notes.md', bytes: bytes() };
  }
  await expect(kit.engine.streams(tenantId).import(files(), { userId: 'u1' })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect(taken).toBe(2);
});
