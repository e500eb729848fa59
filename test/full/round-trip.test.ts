import type { Input } from '@svc-memory/core';
import { startTestEngine } from '@svc-memory/core/testing';
import { hasUnseen } from '@svc-memory/core/text';
import fc from 'fast-check';
import { expect, it } from 'vitest';

const MEMORIES = Number(process.env.SVC_TEST_MEMORIES ?? 50_000);
const SEED = Number(process.env.SVC_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
const BATCH = 500;
/** Who may write protected memories, and restore them exactly, without a decision about each. */
const HUMAN = { source: 'human', credentialId: null } as const;

const text = fc
  .string({ minLength: 1, maxLength: 120, unit: 'binary' })
  .map((value) => value.replaceAll('\u0000', '').toWellFormed())
  .filter((value) => value.trim() !== '' && !value.startsWith('\uFEFF'));
const label = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .filter((value) => /^[^\p{Cc}\s]+$/u.test(value) && !hasUnseen(value));
const draft: fc.Arbitrary<Input<'remember'>> = fc.record(
  {
    type: fc.constantFrom('core', 'working', 'episodic', 'semantic'),
    category: fc.constantFrom('identity', 'relationship', 'tools', 'routine'),
    content: text,
    tags: fc.array(label, { maxLength: 3 }),
    importance: fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0),
    occurred_at: fc
      .date({
        min: new Date('1000-01-01T00:00:00Z'),
        max: new Date('9000-01-01T00:00:00Z'),
        noInvalidDate: true,
      })
      .map((date) => date.toISOString()),
    session_id: label,
  },
  { requiredKeys: ['type', 'category', 'content'] },
);

async function textOf(stream: AsyncIterable<string>): Promise<string> {
  const parts: string[] = [];
  for await (const part of stream) parts.push(part);
  return parts.join('').replaceAll(/"(exported_at|tenant_id)":"[^"]*"/g, '"$1":""');
}

it(`${MEMORIES} random memories come back from an export byte for byte (seed ${SEED})`, async () => {
  const kit = await startTestEngine();
  try {
    const one = await kit.tenant();
    const agent = one.agent();
    const human = one.agent(HUMAN);
    const drafts = fc.sample(draft, { numRuns: MEMORIES, seed: SEED });
    for (let start = 0; start < MEMORIES; start += BATCH) {
      const memories = drafts
        .slice(start, start + BATCH)
        .map((memory, n) => ((start + n) % 7 === 0 ? { ...memory, key: `key ${start + n}` } : memory));
      const others = memories.filter(({ category }) => category !== 'identity');
      const isHumans = (start / BATCH) % 2 === 1;
      const { memories: stored } = isHumans
        ? await human.rememberBatch({ memories })
        : await agent.rememberBatch({ memories: others });
      kit.clock.advance(1_000);
      const changeable = stored.filter(({ category }) => category !== 'identity');
      for (const { id } of changeable.slice(0, 5)) await agent.update({ id, content: `changed ${id}` });
      for (const { id } of changeable.slice(5, 10)) await agent.forget({ id });
    }
    const before = await textOf(kit.engine.streams(one.tenantId).export());
    const other = await kit.tenant();
    const files = (async function* () {
      const document = kit.engine.streams(one.tenantId).export();
      const bytes = (async function* () {
        for await (const part of document) yield Buffer.from(part);
      })();
      yield { path: 'export.json', bytes };
    })();
    const { job } = await kit.engine.streams(other.tenantId, HUMAN).import(files);
    for (;;) {
      await kit.engine.background.run('jobs.work');
      const now = (await other.agent(HUMAN).job({ id: job?.id ?? '' })).job;
      if (now.finished_at === null) continue;
      expect(now).toMatchObject({ status: 'done', errors_count: 0 });
      break;
    }
    // Compared as a whole first: a difference of so many lines would take minutes to print.
    const after = await textOf(kit.engine.streams(other.tenantId).export());
    expect(after === before).toBe(true);
  } finally {
    await kit.close();
  }
}, 1_800_000);
