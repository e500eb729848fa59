import { describe, expect, it } from 'vitest';
import { createEngine } from '../../app/engine.ts';
import type { Database } from '../../kernel/database/database.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { incoming } from './import.fixture.ts';
import { zipOf } from './zip.fixture.ts';

const kit = useTestEngine();

type Files = Readonly<Record<string, string | Uint8Array>>;

/** An importing tenant, and how often it asked the database. */
async function importer() {
  const { tenantId, agent } = await kit.tenant();
  const asked = { reads: 0, transactions: 0 };
  let onRead = () => {};
  const database: Database = {
    ...kit.engine.database,
    read: (id, work) => {
      asked.reads += 1;
      onRead();
      return kit.engine.database.read(id, work);
    },
    transaction: (...call) => {
      asked.transactions += 1;
      return kit.engine.database.transaction(...call);
    },
  };
  const engine = createEngine({ database, clock: kit.clock });
  return {
    asked,
    agent: agent(),
    onRead: (listener: () => void) => {
      onRead = listener;
    },
    import: (files: Files, { dryRun = false, signal }: { dryRun?: boolean; signal?: AbortSignal } = {}) =>
      engine.streams(tenantId, undefined, signal ? { signal } : {}).import(incoming(files), { dryRun }),
    finish: () => engine.background.run('jobs.work'),
  };
}

const notes = (count: number) =>
  zipOf(
    Array.from({ length: count }, (_, n) => ({ name: `n${n}.md`, content: `# Note ${n}\n\nSome text.\n` })),
  );

describe('an archive of many small files', () => {
  it('is read in a few reads of the database, however many files are in it', async () => {
    const [few, several] = [await importer(), await importer()];
    await few.import({ 'notes.zip': notes(10) }, { dryRun: true });
    const { preview } = await several.import({ 'notes.zip': notes(150) }, { dryRun: true });
    expect(preview.counts.memories).toBe(150);
    expect(several.asked.reads).toBeLessThanOrEqual(few.asked.reads + 2);
  });

  it('is read no further when the client has left', async () => {
    const own = await importer();
    const controller = new AbortController();
    // The first read asks for unfinished imports, those after it for what was sent.
    own.onRead(() => own.asked.reads === 3 && controller.abort(new Error('the client has left')));
    await expect(own.import(many('n', 50), { signal: controller.signal })).rejects.toThrow(
      'the client has left',
    );
    expect(own.asked.reads).toBeLessThanOrEqual(5);
    expect((await own.agent.jobs()).jobs).toEqual([]);
  });
});

const many = (name: string, count: number): Files =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`${name}${n}.txt`, `Text ${n} of some length.`]),
  );

describe('an archive whose entries lie over each other', () => {
  it.each([
    ['all at one place', (n: number) => ({ name: `${n}.md`, content: 'the same', at: 0 })],
    ['in pairs', (n: number) => ({ name: `${n}.md`, content: 'the same', at: Math.floor(n / 2) * 50 })],
    [
      'one within the data of another',
      (n: number) => ({ name: `${n}.md`, content: 'x'.repeat(500), at: n * 10 }),
    ],
    ['in falling order', (n: number) => ({ name: `${n}.md`, content: 'the same', at: 5_000 - n })],
  ])('is refused: %s', async (_name, entry) => {
    const own = await importer();
    const file = zipOf([
      { name: 'first.md', content: 'The first.' },
      ...Array.from({ length: 100 }, (_, n) => entry(n)),
    ]);
    await expect(own.import({ 'a.zip': file })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('lies over another entry'),
    });
    expect(own.asked.reads).toBeLessThanOrEqual(4);
  });
});

describe('a file of mostly broken records', () => {
  it.each([
    ['numbers', Array(3_000).fill(1)],
    ['nulls behind a text', ['a text', ...Array(3_000).fill(null)]],
    ['empty objects', Array(3_000).fill({})],
    ['lists', Array(3_000).fill([])],
  ])('is refused with the first of them: %s', async (_name, list) => {
    const own = await importer();
    await expect(own.import({ 'x.json': JSON.stringify(list) })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/^x\.json: record [12] has no text/),
    });
    expect((await own.agent.jobs()).jobs).toEqual([]);
  });

  it('is imported where the others are more, and each error counts', async () => {
    const own = await importer();
    const list = [...Array(1_050).keys()].flatMap((n) => (n % 2 ? [`Text ${n}`, n] : [`Text ${n}`, '', n]));
    const { job } = await own.import({ 'x.json': JSON.stringify(list) });
    await own.finish();
    const ended = (await own.agent.job({ id: job?.id ?? '' })).job;
    expect(ended).toMatchObject({
      status: 'done',
      errors_count: 1_050,
      result: { created: 1_050, skipped: 525 },
    });
  });

  it('takes few steps where nothing is to be written', async () => {
    const own = await importer();
    const list = ['A text', ...Array(9_000).fill('')];
    const { job } = await own.import({ 'x.json': JSON.stringify(list) });
    const before = own.asked.transactions;
    await own.finish();
    expect((await own.agent.job({ id: job?.id ?? '' })).job).toMatchObject({
      status: 'done',
      result: { created: 1, skipped: 9_000 },
    });
    expect(own.asked.transactions - before).toBeLessThan(10);
  });
});
