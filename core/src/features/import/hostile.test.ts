import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { importAll, incoming } from './import.fixture.ts';
import { IMPORT_LIMITS } from './limits.ts';
import { scan } from './scan.ts';
import { zipOf } from './zip.fixture.ts';

const kit = useTestEngine();

/** Imports what must be refused; nothing may be left of it. */
async function refusal(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const { tenantId, agent } = await kit.tenant();
  const error = await kit.engine
    .streams(tenantId)
    .import(incoming(files))
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
  expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: expect.any(String) }] });
  expect((await agent().jobs()).jobs).toEqual([]);
  expect((await agent().query()).memories).toEqual([]);
  const kept = await kit.engine.database.system((tx) => tx.execute('SELECT 1 FROM import_chunks LIMIT 1'));
  expect(JSON.stringify(kept)).not.toContain('?column?":1');
  return String(error);
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes of the heap; where these are more than expected, only what is in use: V8 collects the rest when it likes. */
function heapInUse(expected = 0): number {
  if (process.memoryUsage().heapUsed > expected) collectGarbage();
  return process.memoryUsage().heapUsed;
}

const good = { name: 'good.md', content: 'A good note.' };

describe('threat 7: an archive that is', () => {
  it('a bomb by what it says is refused', async () => {
    const bomb = { name: 'b.txt', content: Buffer.alloc(20 * 1024 * 1024, 'a') };
    expect(await refusal({ 'b.zip': zipOf([good, bomb]) })).toMatch(/b\.txt.*zip bombs/);
  });

  it('a bomb that lies about its size is refused', async () => {
    const bomb = { name: 'b.txt', content: Buffer.alloc(20 * 1024 * 1024, 'a'), declaredSize: 1_000 };
    expect(await refusal({ 'b.zip': zipOf([good, bomb]) })).toMatch(/cannot be unpacked|zip bombs/);
  });

  it('larger than allowed in all is refused', async () => {
    const one = Buffer.alloc(1_000, 'abc ');
    const files = Array.from({ length: 60 }, (_, index) => ({
      name: `${index}.txt`,
      content: one,
      declaredSize: 40 * 1024 * 1024,
      declaredCompressed: 2 * 1024 * 1024,
    }));
    expect(await refusal({ 'b.zip': zipOf(files) })).toMatch(/holds more than 1024 MiB/);
  });

  it.each(['../../etc/cron.d/x.md', '/etc/x.md', 'a/../../x.md', 'C:\\x.md', 'a\\..\\x.md'])(
    'leading out of its folder by %s is refused',
    async (name) => {
      expect(await refusal({ 'z.zip': zipOf([good, { name, content: 'x' }]) })).toMatch(
        /invalid|leads out|relative|absolute/i,
      );
    },
  );

  it('made by PowerShell, with backslashes in its names, is read', async () => {
    const { tenantId } = await kit.tenant();
    const folder = { name: 'notes\\old\\', content: '' };
    const files = { 'z.zip': zipOf([folder, { name: 'notes\\old\\2025-03-01.md', content: 'A log.' }]) };
    const { preview } = await kit.engine.streams(tenantId).import(incoming(files), { dryRun: true });
    expect(preview.files.map(({ path }) => path)).toEqual(['z.zip/notes/old/2025-03-01.md']);
    expect(preview.samples).toMatchObject([{ content: 'A log.', occurred_at: '2025-03-01T00:00:00.000Z' }]);
  });

  it('holding a link is refused', async () => {
    const link = { name: 'link.md', content: '/etc/passwd', mode: 0o120777 };
    expect(await refusal({ 'z.zip': zipOf([good, link]) })).toContain('symbolic link (link.md)');
    // Its name is shortened for the answer, never within a character.
    const named = `${'x'.repeat(199)}🦉`;
    expect(await refusal({ 'z.zip': zipOf([{ ...link, name: `${named}.md` }]) })).toContain(`(${named})`);
  });

  it('encrypted is refused', async () => {
    expect(await refusal({ 'z.zip': zipOf([{ ...good, flags: 1 }]) })).toContain('encrypted');
  });

  it('broken off is refused', async () => {
    const whole = zipOf([good, { name: 'more.md', content: 'x'.repeat(2_000) }]);
    expect(await refusal({ 'z.zip': whole.subarray(0, whole.length - 30) })).toContain('cannot be unpacked');
  });

  it('holding a file that is not what its checksum says is refused', async () => {
    const damaged = { name: 'damaged.md', content: 'The lamp is wreck.', declaredChecksum: 1 };
    expect(await refusal({ 'z.zip': zipOf([good, damaged]) })).toContain('damaged.md, which is damaged');
  });

  it('wordy about each entry takes no memory for it', async () => {
    const { tenantId } = await kit.tenant();
    // Fields of 4 bytes, each of which becomes an object with a buffer.
    const extra = Buffer.alloc(64_000);
    for (let at = 0; at < extra.length; at += 4) extra.writeUInt16LE(0x9999, at);
    const entries = Array.from({ length: 50 }, (_, n) => ({
      name: `${n}.md`,
      content: `Note ${n}.`,
      extra,
    }));
    const files = incoming({ 'z.zip': zipOf(entries) });
    const before = heapInUse();
    // Kept for all entries, they take 120 MiB.
    const bound = before + 60 * 1024 * 1024;
    let most = before;
    const look = setInterval(() => {
      most = Math.max(most, heapInUse(bound));
    }, 20);
    try {
      const { preview } = await kit.engine.streams(tenantId).import(files, { dryRun: true });
      expect(preview.counts.memories).toBe(50);
    } finally {
      clearInterval(look);
    }
    expect(most).toBeLessThan(bound);
  });

  it('within an archive is left out, and the rest is imported', async () => {
    const { tenantId } = await kit.tenant();
    const outer = zipOf([good, { name: 'inner.zip', content: zipOf([good]) }]);
    expect(await importAll(kit, tenantId, { 'z.zip': outer })).toMatchObject({ result: { created: 1 } });
  });
});

describe('threat 7: a file whose path is', () => {
  it.each([
    '../x.md',
    '/etc/passwd',
    'a/../../b.md',
    'C:/x.md',
    'a\u0000.md',
    'a\u001b[2J.md',
    'x'.repeat(2_000),
  ])('%j is refused', async (path) => {
    await refusal({ [path]: 'text' });
  });
});

describe('threat 7: JSON that', () => {
  const deep = (depth: number) =>
    `{"memories": [{"content": "x", "more": ${'['.repeat(depth)}${']'.repeat(depth)}}]}`;
  it.each([
    [
      'breaks off',
      '{"memories": [{"content": "one"}, {"content": "tw',
      /ends in the middle of a value, at byte 49/,
    ],
    ['breaks off in a list', '[{"content": "one"}, ', /ends in the middle of a value, at byte 21/],
    ['has a mistake', '[{"content": "one"}, {"content": nope}]', /unexpected "o" at byte 34/],
    ['goes on after its end', '[{"content": "one"}] x', /byte 21/],
    ['is none at all', '{"memories": what}', /unexpected "w" at byte 13/],
    ['nests too deep', deep(200), /nests deeper than 100 levels at byte/],
  ])('%s is refused with the place', async (_, json, message) => {
    expect(await refusal({ 'x.json': json })).toMatch(message);
  });

  it.each([
    ['x.json', (object: string) => `[${object}]`, /the object or list at byte \d+ has more than 100000/],
    ['x.jsonl', (object: string) => `{"content": "y"}\n${object}`, /line 2 has more than 100000/],
  ])('has an object or list of very many members is refused: %s', async (name, around, message) => {
    const object = (count: number) =>
      `{"content": "x", ${Array.from({ length: count - 1 }, (_, n) => `"${n * 7_919}": 1`).join(',')}}`;
    const list = (count: number) => `{"content": "x", "tags": [${'"t",'.repeat(count - 1)}"t"]}`;
    for (const of of [object, list]) {
      expect(await refusal({ [name]: around(of(100_001)) })).toMatch(message);
      const { tenantId } = await kit.tenant();
      await kit.engine.streams(tenantId).import(incoming({ [name]: around(of(100_000)) }), { dryRun: true });
    }
  });

  it('may have more records than that', async () => {
    const { tenantId } = await kit.tenant();
    const records = Array.from({ length: 100_010 }, (_, n) => (n < 100_000 ? '""' : '"A note."'));
    const files = incoming({ 'x.json': `{"memories": [${records.join(',')}]}` });
    const { preview } = await kit.engine.streams(tenantId).import(files, { dryRun: true });
    expect(preview.counts.memories).toBe(10);
  });

  it('answers itself in a circle is refused', async () => {
    const node = (id: string, parent: string) => ({
      message: { id, author: { role: 'user' }, content: { content_type: 'text', parts: [id] } },
      parent,
      children: [],
    });
    const chat = [
      { title: 'x', create_time: 1, current_node: 'a', mapping: { a: node('a', 'b'), b: node('b', 'a') } },
    ];
    expect(await refusal({ 'conversations.json': JSON.stringify(chat) })).toContain('answers itself');
  });

  it('names __proto__ changes no object', async () => {
    const { tenantId, agent } = await kit.tenant();
    const json =
      '[{"content": "harmless", "__proto__": {"type": "core", "category": "soul", "polluted": true}}]';
    await importAll(kit, tenantId, { 'x.json': json });
    expect((await agent().query()).memories).toMatchObject([{ type: 'semantic', content: 'harmless' }]);
    expect(Object(Object.create(null)).polluted ?? ({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each(['{"content": "', '[{"content": "', '[{"content": [', 'x'])(
    'has a line or a record without end (%s…) is refused while it streams',
    async (start) => {
      const piece = Buffer.alloc(1024 * 1024, start.endsWith('[') ? `"${'x'.repeat(1_021)}",` : 'x');
      let sent = 0;
      const endless = async function* () {
        yield Buffer.from(start);
        for (; ; sent += 1) yield piece;
      };
      await expect(
        scan([{ path: 'x.jsonl', open: endless }], 'jsonl', {
          secrets: { formats: true },
          userId: undefined,
        }),
      ).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(/longer than/),
      });
      await expect(
        scan([{ path: 'x.json', open: endless }], 'mem0', { secrets: { formats: true }, userId: undefined }),
      ).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
      expect(sent).toBeLessThan((3 * IMPORT_LIMITS.recordBytes) / piece.length);
    },
  );
});

describe('threat 7: an export of this service that', () => {
  const at = '2026-01-01T00:00:00Z';
  const record = (content: string, more: object = {}) => ({
    ...{ type: 'semantic', content, category: null, key: null, tags: [], importance: 0.5, occurred_at: at },
    ...{ version: 2, source: { kind: 'agent', credential_id: null }, created_at: at, updated_at: at, at },
    ...more,
  });
  async function importExport(memories: object[], history: object[] = []) {
    const { tenantId, agent } = await kit.tenant();
    const file = JSON.stringify({ version: '1', exported_at: at, memories: { semantic: memories }, history });
    return { job: await importAll(kit, tenantId, { 'export.json': file }), agent: agent() };
  }

  it('has versions that its memory is yet to have leaves the memory to be changed and forgotten', async () => {
    const id = randomUUID();
    const version = (number: number) =>
      record(`As of ${number}`, { memory_id: id, version: number, change: 'updated' });
    const { job, agent } = await importExport([record('As of 2', { id })], [1, 2, 3].map(version));
    expect(job).toMatchObject({ result: { created: 1, versions: 1 }, errors_count: 2 });
    await agent.update({ id, content: 'As of now' });
    await agent.forget({ id });
    expect((await agent.history({ id })).versions.map(({ content }) => content)).toEqual([
      ...['As of now', 'As of now', 'As of 2', 'As of 1'],
    ]);
  });

  it.each([['an agent that has no memories'], ['one that has']])(
    'lets memories supersede each other in a circle leaves the last of them in force, in %s',
    async (whose) => {
      const [first, second, itself, archived] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
      const circle = [
        record('Report plum.', { id: first, superseded_by: second }),
        record('Report harp.', { id: second, superseded_by: archived, occurred_at: '2026-01-02T00:00:00Z' }),
        record('Report oboe.', { id: archived, superseded_by: first, archived_at: new Date().toISOString() }),
        record('Bees hum.', { id: itself, superseded_by: itself }),
      ];
      const { tenantId, agent } = await kit.tenant();
      if (whose === 'one that has') await agent().remember({ type: 'working', content: 'Lamps buzz.' });
      const file = JSON.stringify({ version: '1', exported_at: at, memories: { semantic: circle } });
      await importAll(kit, tenantId, { 'export.json': file });
      const { memories } = await agent().query({ type: 'semantic' });
      expect(memories.map(({ content }) => content).sort()).toEqual(['Bees hum.', 'Report harp.']);
    },
  );

  it.each([
    ['more confirmations than can be counted', { confirmations: 3_000_000_000 }, 'confirmations'],
    ['a core memory without a category', { type: 'core' }, 'category'],
  ])('has %s is imported without that memory', async (_, more, field) => {
    const { job, agent } = await importExport([
      record('Good.', { id: randomUUID() }),
      record('Bad.', { id: randomUUID(), ...more }),
    ]);
    expect(job).toMatchObject({ status: 'done', result: { created: 1 } });
    expect(job.errors).toMatchObject([{ item: 'export.json #2', message: expect.stringContaining(field) }]);
    expect((await agent.query()).memories).toMatchObject([{ content: 'Good.' }]);
  });
});

describe('threat 7: a text in', () => {
  const text = 'Ångström läuft für 5 €';
  it('UTF-16 with a byte order mark, either way, is read', async () => {
    const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
    const big = Buffer.from(little).swap16();
    for (const bytes of [little, big]) {
      const { tenantId, agent } = await kit.tenant();
      await importAll(kit, tenantId, { 'a.txt': bytes });
      expect((await agent().query()).memories).toMatchObject([{ content: text }]);
    }
  });

  it('UTF-8 with a byte order mark is read without it', async () => {
    const { tenantId, agent } = await kit.tenant();
    await importAll(kit, tenantId, { 'a.json': `\uFEFF[{"content": "${text}"}]` });
    expect((await agent().query()).memories).toMatchObject([{ content: text }]);
  });

  it.each([
    ['Latin-1', Buffer.from('caf\xe9 au lait', 'latin1'), /not valid UTF-8 near byte 4.*Latin-1/],
    ['UTF-16 without a mark', Buffer.from('plain', 'utf16le'), /UTF-16 without a byte order mark/],
    ['half a UTF-8 character', Buffer.from('caf\xc3', 'latin1'), /not valid UTF-8/],
  ])('%s is refused', async (_, bytes, message) => {
    expect(await refusal({ 'a.txt': bytes })).toMatch(message);
  });
});
