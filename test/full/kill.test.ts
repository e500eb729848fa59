import { describe, expect, it } from 'vitest';
import type { Api } from '../kit/api.ts';
import {
  cleanUp,
  preparedFolder,
  type ServiceProcess,
  startProcess,
  temporaryFolder,
} from '../kit/process.ts';
import { BATCH, clientOf, Ledger, readAll, writeUntilGone } from '../kit/writers.ts';

const ROUNDS = Number(process.env.SVC_TEST_KILLS ?? (process.env.SVC_TEST_FULL ? 10 : 2));
/**
 * When each round is killed: so many acknowledged calls, and then so many milliseconds, later. Writers that wait for one
 * another move in step, so a kill at an acknowledgement alone would always meet them at the same point.
 */
const KILL_AFTER = [
  { calls: 45, ms: 60 },
  { calls: 20, ms: 130 },
  { calls: 80, ms: 15 },
  { calls: 7, ms: 90 },
  { calls: 120, ms: 35 },
  { calls: 33, ms: 0 },
  { calls: 61, ms: 180 },
  { calls: 12, ms: 110 },
  { calls: 95, ms: 5 },
  { calls: 150, ms: 75 },
] as const;
const RECALLED_PER_ROUND = 5;

cleanUp();

async function start(folder: string): Promise<{ service: ServiceProcess; api: Api }> {
  const service = startProcess(folder);
  await service.ready;
  return { service, api: clientOf(await service.credentials()) };
}

async function killHard(service: ServiceProcess): Promise<void> {
  service.kill('SIGKILL');
  expect(await service.ended).toBe('SIGKILL');
}

describe('kill -9 in the middle of concurrent writes', () => {
  it(
    `loses no acknowledged memory and leaves none half-written, ${ROUNDS} times`,
    async () => {
      const folder = await temporaryFolder();
      const ledger = new Ledger();
      let { service, api } = await start(folder);
      for (let round = 0; round < ROUNDS; round += 1) {
        const { calls, ms } = KILL_AFTER[round % KILL_AFTER.length] ?? KILL_AFTER[0];
        let left: number = calls;
        const killed = service;
        await writeUntilGone(api, ledger, round, () => {
          left -= 1;
          if (left === 0) setTimeout(() => killed.kill('SIGKILL'), ms);
        });
        expect(await killed.ended).toBe('SIGKILL');

        const began = performance.now();
        ({ service, api } = await start(folder));
        expect(performance.now() - began, 'milliseconds from start to ready').toBeLessThan(30_000);
        await checkAll(api, ledger);
      }
      await killHard(service);
      expect(ledger.acknowledged).toBeGreaterThanOrEqual(ROUNDS);
    },
    ROUNDS * 60_000,
  );
});

/** Compares everything the service has with the ledger. */
async function checkAll(api: Api, ledger: Ledger): Promise<void> {
  const { usage } = (await api.get<'status'>('/status')).body;
  const countedBefore = ledger.countedReads;
  const memories = await readAll(api, ledger);

  const lost = [...ledger.stored].filter(([id, content]) => memories.get(id)?.content !== content);
  expect(lost, 'acknowledged memories lost or changed').toEqual([]);
  const foreign = [...memories.values()].filter(({ content }) => !ledger.sent.has(content));
  expect(foreign, 'memories nobody sent, or parts of them').toEqual([]);

  for (const [tag, { contents, acknowledged }] of ledger.batches) {
    const kept = [...memories.values()].filter(({ tags }) => tags.includes(tag));
    expect([...(acknowledged ? [] : [0]), BATCH], `memories of batch ${tag}`).toContain(kept.length);
    if (kept.length > 0) expect(kept.map(({ content }) => content).sort()).toEqual([...contents].sort());
  }

  for (const [key, { contents, acknowledged }] of ledger.upserts) {
    const memory = [...memories.values()].find((candidate) => candidate.key === key);
    const applied = memory?.version ?? 0;
    // The call that was under way may have been committed before its answer was lost.
    expect([acknowledged, acknowledged + 1], `versions of ${key}`).toContain(applied);
    if (memory) expect(await historyOf(api, memory.id)).toEqual(contents.slice(0, applied));
  }

  const shared = [...memories.values()].find(({ key }) => key === 'shared');
  const history = shared ? await historyOf(api, shared.id) : [];
  expect(history.length).toBeGreaterThanOrEqual(ledger.shared.acknowledged);
  expect(history.length).toBe(shared?.version ?? 0);
  expect(new Set(history).size, 'no upsert applied twice').toBe(history.length);
  for (const content of history) expect(ledger.shared.contents).toContain(content);

  // A memory, its index, its event and its count are one transaction: as many operations as versions.
  const versions = [...memories.values()].reduce((sum, { version }) => sum + version, 0);
  expect(usage.operations_this_month).toBe(versions + countedBefore);

  const acknowledged = [...ledger.stored];
  const step = Math.max(1, Math.floor(acknowledged.length / RECALLED_PER_ROUND));
  for (const [id, content] of acknowledged.filter((_, index) => index % step === 0)) {
    const query = content.split(' ', 1)[0];
    const { results } = (await api.post<'recall'>('/memories/recall', { query, threshold: 0 })).body;
    ledger.countedReads += 1;
    expect(
      results.map((result) => result.id),
      `recall of ${query}`,
    ).toContain(id);
  }
}

/** Contents of all versions of a memory, oldest first; the versions must be without a gap. */
async function historyOf(api: Api, id: string): Promise<string[]> {
  const { versions } = (await api.get<'history'>(`/memories/${id}/history`)).body;
  const oldestFirst = [...versions].reverse();
  expect(oldestFirst.map(({ version }) => version)).toEqual(oldestFirst.map((_, index) => index + 1));
  return oldestFirst.map(({ content }) => content);
}

describe('the lock of the data folder', () => {
  it('the lock of a killed process is taken over, by exactly one of several starters', async () => {
    const folder = await preparedFolder();
    const first = await start(folder);
    await first.api.post('/memories', { type: 'working', content: 'kept' });
    await killHard(first.service);

    const starters = Array.from({ length: 3 }, () => startProcess(folder));
    const outcomes = await Promise.allSettled(starters.map(({ ready }) => ready));
    const winners = starters.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    const [winner] = winners;
    if (!winner) throw new TypeError('one starter must win');
    for (const loser of starters.filter((starter) => starter !== winner)) {
      expect(loser.stderr()).toContain(`in use by process ${winner.pid}`);
    }
    const api = clientOf(await winner.credentials());
    expect((await api.get<'status'>('/status')).body.counts.working).toBe(1);
    await killHard(winner);
  }, 600_000);
});
