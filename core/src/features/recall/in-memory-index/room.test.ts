import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../app/engine.ts';
import type { TestEngine } from '../../../testing/index.ts';
import { createStaticEmbedder } from '../../embedding/static/static-embedder.ts';
import { expectSame, startHolding, told, type Watched, watched } from './index-cache.fixture.ts';

let kit: TestEngine;
let holding: Watched;
let plain: Engine;
let held: Awaited<ReturnType<typeof startHolding>>['held'];
beforeAll(async () => {
  ({ kit, holding, plain, held } = await startHolding());
});
afterAll(() => kit.close());

describe('the room for memories that are held', () => {
  it('is read anew once more memories went and came than there are', async () => {
    const { tenantId, here, there } = await held(100);
    const changeAll = () =>
      kit.engine.database.batch(tenantId, [
        sql`UPDATE memories SET importance = 1 - importance WHERE tenant_id = ${tenantId}::uuid`,
      ]);
    for (let round = 1; round <= 6; round += 1) {
      await changeAll();
      await expectSame(here, there);
    }
    expect(await holding.isHeld(tenantId)).toBe(true);
    await changeAll();
    expect(await holding.isHeld(tenantId)).toBe(false);
    await holding.untilHeld(tenantId);
    await expectSame(here, there);
  });

  it('goes to who asked last; who does not fit, or room for none, is searched in the database', async () => {
    const small = watched(kit, 200_000);
    const fill = async (words: string) => {
      const { tenantId } = await kit.tenant();
      const memories = Array.from({ length: 200 }, (_, n) => ({ ...told(n), content: `${words} ${n}` }));
      await plain.agent(tenantId).rememberBatch({ memories });
      return tenantId;
    };
    const ask = async (tenantId: string) =>
      (await small.engine.agent(tenantId).recall({ query: 'violin', threshold: 0 })).results.length;
    const [large, first, second] = [
      await fill('violin '.repeat(300)),
      await fill('violin'),
      await fill('my violin'),
    ];
    for (let n = 0; n < 3; n += 1) expect(await ask(large)).toBe(10);
    await small.untilHeld(first);
    await small.untilHeld(second);
    expect(await small.isHeld(first)).toBe(false);
    expect(await small.isHeld(large)).toBe(false);
    for (const tenantId of [large, first, second]) expect(await ask(tenantId)).toBe(10);
  });

  it('is not filled by turns of more tenants than fit', async () => {
    const small = watched(kit, 200_000);
    const tenants: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const { tenantId } = await kit.tenant();
      const memories = Array.from({ length: 200 }, (_, m) => ({ ...told(m), content: `violin ${n} ${m}` }));
      await plain.agent(tenantId).rememberBatch({ memories });
      tenants.push(tenantId);
    }
    const [first = ''] = tenants;
    let loads = 0;
    for (let round = 0; round < 4; round += 1) {
      for (const tenantId of tenants) loads += await small.loadsOf(tenantId);
    }
    expect(loads).toBe(0);
    await small.untilHeld(first);
  });

  it('decides where a recall searches; the database is asked once, in what also counts the use', async () => {
    const { tenantId } = await held(100);
    expect(await holding.asksOf(tenantId)).toBe(1);
    const never = watched(kit, 0);
    // Which model answers the tenant is known from the first recall on.
    await never.asksOf(tenantId);
    expect(await never.asksOf(tenantId)).toBe(1);
    expect(await never.isHeld(tenantId)).toBe(false);
  });

  it('asks the database and a slow model at the same time', async () => {
    const { tenantId } = await held(100);
    const model = createStaticEmbedder();
    let asked = () => {};
    let untilAsked = Promise.resolve();
    const slow = watched(kit, 8 * 1024 ** 2, {
      // Answers nothing before the database is asked.
      embedder: { ...model, embed: (...all) => untilAsked.then(() => model.embed(...all)) },
      onAsk: () => asked(),
    });
    await slow.untilHeld(tenantId);
    untilAsked = new Promise((resolve) => {
      asked = resolve;
    });
    const { degraded } = await slow.engine.agent(tenantId).recall({ query: 'a violin' });
    expect(degraded).toBeUndefined();
  });
});
