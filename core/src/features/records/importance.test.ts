import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATEGORIES, MEMORY_TYPES } from '../../kernel/contract/fields.ts';
import { rows } from '../../kernel/database/database.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { presentImportance, presentImportanceOf } from './importance.ts';
import { memories } from './schema.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-06-01T00:00:00Z');
const importance = fc.double({ min: 0, max: 1, noNaN: true });
const occurredAt = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

const kit = useTestEngine();

describe('the importance of', () => {
  it('a core memory never fades', () => {
    fc.assert(
      fc.property(importance, occurredAt, (given, at) => {
        const core = { type: 'core' as const, importance: given, time: at.getTime() };
        expect(presentImportance(core, NOW)).toBe(given);
      }),
    );
  });

  it('every other fades with time, to half of what its author gave it at most', () => {
    const others = fc.constantFrom(...MEMORY_TYPES.filter((type) => type !== 'core'));
    fc.assert(
      fc.property(others, importance, occurredAt, fc.nat(10_000), (type, given, at, days) => {
        const of = (now: Date) => presentImportance({ type, importance: given, time: at.getTime() }, now);
        const later = new Date(NOW.getTime() + days * DAY_MS);
        expect(of(NOW)).toBeLessThanOrEqual(given);
        expect(of(later)).toBeLessThanOrEqual(of(NOW));
        expect(of(later)).toBeGreaterThanOrEqual(given / 2);
      }),
    );
  });

  it('is the same in the database', async () => {
    const { tenantId, agent } = await kit.tenant();
    for (const days of [0, 1, 90, 180, 3_650]) {
      const occurred_at = new Date(kit.clock().getTime() - days * DAY_MS).toISOString();
      await agent().remember({ type: 'episodic', content: `${days} days ago`, importance: 0.8, occurred_at });
    }
    const now = kit.clock();
    const { memories: stored } = await agent().query({ type: 'episodic' });
    const found = await kit.engine.database.read(tenantId, (tx) =>
      rows<{ id: string; present: number }>(
        tx,
        sql`SELECT id, ${presentImportanceOf(now)} AS present FROM ${memories} WHERE tenant_id = ${tenantId}`,
      ),
    );
    const expected = new Map(
      stored.map(({ id, type, importance: given, occurred_at }) => [
        id,
        presentImportance({ type, importance: given, time: Date.parse(occurred_at) }, now),
      ]),
    );
    expect(found).toHaveLength(5);
    for (const { id, present } of found) expect(present).toBeCloseTo(expected.get(id) ?? Number.NaN, 12);
  });
});

it('after years of reflection core memories stand as they were, in store and in boot', async () => {
  const agent = (await kit.tenant()).agent();
  for (const category of CATEGORIES) {
    const content = `Told as ${category}: the harbour of Bergen is where it began.`;
    const occurred_at = '1990-01-01T00:00:00Z';
    await agent.remember({ type: 'core', category, content, importance: 0.1, occurred_at });
  }
  const core = async () => (await agent.query({ type: 'core', limit: 100 })).memories;
  const before = await core();
  const places = async () => {
    const { injection } = await agent.boot({ preview: true });
    return before.map(({ content }) => injection.indexOf(content));
  };
  const [stored, shown] = [before, await places()];
  for (let year = 0; year < 3; year += 1) {
    const memories = Array.from({ length: 6 }, (_, n) => ({
      ...{ type: 'episodic' as const, content: `Year ${year}: the harbour of Bergen, visit ${n}.` },
      ...{ session_id: `year ${year}`, importance: 1 },
    }));
    await agent.rememberBatch({ memories });
    kit.clock.advance(400 * DAY_MS);
    const { job } = await agent.reflect();
    await kit.engine.background.run('jobs.work');
    expect((await agent.job({ id: job.id })).job).toMatchObject({ status: 'done', result: { digests: 1 } });
  }
  expect(await core()).toEqual(stored);
  expect(shown.every((place) => place >= 0)).toBe(true);
  expect(await places()).toEqual(shown);
});
