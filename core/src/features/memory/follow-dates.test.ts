import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { rows } from '../../kernel/database/database.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { importAll } from '../import/import.fixture.ts';

const kit = useTestEngine();

const HOURS_MS = 2 * 3_600_000;
const newAgent = async () => (await kit.tenant()).agent();
const portOf = (port: number) => `The staging server listens on port ${port}.`;
const year = (n: number) => `${n}-01-01T00:00:00.000Z`;

/** Stores the ports of some years, in this order, and answers their ids by year. */
async function tell(agent: AgentMemory, ...years: readonly number[]): Promise<Record<number, string>> {
  const ids: Record<number, string> = {};
  for (const n of years) {
    const { memory } = await agent.remember({ type: 'semantic', content: portOf(n), valid_from: year(n) });
    ids[n] = memory.id;
    kit.clock.advance(HOURS_MS);
  }
  return ids;
}

async function portsAt(agent: AgentMemory, asOf?: number): Promise<number[]> {
  const { memories } = await agent.query({ ...(asOf && { as_of: year(asOf) }), limit: 100 });
  return memories.map(({ content }) => Number(/\d+/.exec(content)?.[0])).sort();
}

describe('a fact that is dated anew', () => {
  it('before what it had replaced, is replaced by that', async () => {
    const agent = await newAgent();
    const ids = await tell(agent, 2025, 2024);
    expect(await portsAt(agent)).toEqual([2025]);
    const { memory, ...told } = await agent.update({ id: ids[2025] ?? '', valid_from: year(2023) });
    expect(memory.superseded_by).toBe(ids[2024]);
    expect(told).not.toHaveProperty('superseded');
    expect(await portsAt(agent)).toEqual([2024]);
    expect(await portsAt(agent, 2023)).toEqual([2025]);
  });

  it('after what had replaced it, replaces that, as the answer says', async () => {
    const agent = await newAgent();
    const ids = await tell(agent, 2020, 2021);
    const { superseded } = await agent.update({ id: ids[2020] ?? '', valid_from: year(2022) });
    expect(superseded).toEqual([
      { id: ids[2021], content: portOf(2021), reason: expect.stringContaining('2020') },
    ]);
    expect(await portsAt(agent)).toEqual([2020]);
    expect(await portsAt(agent, 2021)).toEqual([2021]);
  });

  it('leaves no overlap where two began at one moment, and an earlier one was told after them', async () => {
    const agent = await newAgent();
    const begun = async (port: number, n: number) => {
      const told = { type: 'semantic', content: portOf(port), valid_from: year(n) } as const;
      const { memory } = await agent.remember(told);
      kit.clock.advance(HOURS_MS);
      return memory.id;
    };
    await begun(8003, 2021);
    const second = await begun(8009, 2021);
    await begun(8004, 2019);
    expect(await portsAt(agent, 2020)).toEqual([8004]);
    expect(await portsAt(agent, 2021)).toEqual([8009]);
    await agent.update({ id: second, valid_from: year(2025) });
    expect(await portsAt(agent, 2020)).toEqual([8004]);
    expect(await portsAt(agent, 2021)).toEqual([8003]);
    expect(await portsAt(agent, 2025)).toEqual([8009]);
  });

  it('keeps what its author stated, whenever it begins', async () => {
    const agent = await newAgent();
    const [door, gate] = await Promise.all(
      ['The door code is in the safe.', 'Ask Maya at the gate.'].map((content) =>
        agent.remember({ type: 'semantic', content, valid_from: year(2021) }),
      ),
    );
    const ids = { door: door?.memory.id ?? '', gate: gate?.memory.id ?? '' };
    await agent.update({ id: ids.gate, supersedes: [ids.door] });
    await agent.update({ id: ids.door, valid_from: year(2025) });
    expect((await agent.get({ id: ids.door })).memory.superseded_by).toBe(ids.gate);
    await agent.update({ id: ids.gate, valid_from: year(2019) });
    expect((await agent.get({ id: ids.gate })).memory).not.toHaveProperty('superseded_by');
  });

  it('keeps what its author stated of what the rules would have found', async () => {
    const agent = await newAgent();
    const ids = await tell(agent, 2020);
    const corrected = await agent.remember({
      type: 'semantic',
      content: portOf(2021),
      valid_from: year(2021),
      supersedes: [ids[2020] ?? ''],
    });
    await agent.update({ id: ids[2020] ?? '', valid_from: year(2024) });
    expect(await portsAt(agent)).toEqual([2021]);
    expect((await agent.get({ id: ids[2020] ?? '' })).memory.superseded_by).toBe(corrected.memory.id);
  });

  it('keeps that both hold, where its author stated that', async () => {
    const agent = await newAgent();
    const ids = await tell(agent, 2020, 2021);
    await agent.update({ id: ids[2020] ?? '', superseded_by: null });
    for (const [id, at] of [
      [ids[2020], 2024],
      [ids[2021], 2025],
      [ids[2021], 2019],
    ] as const) {
      await agent.update({ id: id ?? '', valid_from: year(at) });
      expect(await portsAt(agent)).toEqual([2020, 2021]);
    }
  });

  it('is where it was when that is undone, however often', async () => {
    const agent = await newAgent();
    const ids = await tell(agent, 2020, 2021, 2022, 2023);
    const links = async () =>
      (await agent.query({ include_superseded: true })).memories.map(
        ({ content, valid_from, superseded_by }) => [content, valid_from, superseded_by],
      );
    const was = await links();
    for (const [n, to] of [
      [2023, 2018],
      [2021, 2025],
      [2022, 2017],
      [2020, 2030],
    ] as const) {
      const since = kit.clock().toISOString();
      kit.clock.advance(1);
      await agent.update({ id: ids[n] ?? '', valid_from: year(to) });
      await agent.undo({ source: 'agent', since });
      expect(await links()).toEqual(was);
    }
    const since = kit.clock().toISOString();
    kit.clock.advance(1);
    for (const [n, to] of [
      [2023, 2000],
      [2022, 2001],
      [2021, 2002],
      [2020, 2003],
    ] as const)
      await agent.update({ id: ids[n] ?? '', valid_from: year(to) });
    expect(await portsAt(agent)).toEqual([2020]);
    await agent.undo({ source: 'agent', since });
    expect(await links()).toEqual(was);
  });

  it('was known to stand where it stood', async () => {
    const agent = await newAgent();
    const ids = await tell(agent, 2024, 2025);
    const before = kit.clock().toISOString();
    kit.clock.advance(1);
    await agent.update({ id: ids[2025] ?? '', valid_from: year(2023) });
    const { memories } = await agent.query({ known_at: before });
    expect(memories.map(({ content }) => content)).toEqual([portOf(2025)]);
    expect(await portsAt(agent)).toEqual([2024]);
  });

  it('by its key in a call of several, stands where each of them does', async () => {
    const agent = await newAgent();
    const draft = (n: number, at: number) => ({
      ...{ type: 'semantic' as const, content: portOf(n), key: `port-${n}`, valid_from: year(at) },
    });
    // The rules leave facts of other keys alone, so what the dates move is one of them and those without a key.
    await agent.remember(draft(2020, 2020));
    await tell(agent, 2021, 2022);
    expect(await portsAt(agent)).toEqual([2022]);
    await agent.rememberBatch({ memories: [draft(2020, 2024)] });
    expect(await portsAt(agent)).toEqual([2020]);
    expect(await portsAt(agent, 2023)).toEqual([2022]);
    await agent.rememberBatch({ memories: [draft(2020, 2019)] });
    expect(await portsAt(agent)).toEqual([2022]);
    expect(await portsAt(agent, 2020)).toEqual([2020]);
  });

  it('by what its key is said of again, takes the place of what had replaced it', async () => {
    const agent = await newAgent();
    const home = { type: 'semantic' as const, content: 'I live in Oslo.', key: 'home' };
    await agent.remember(home);
    kit.clock.advance(HOURS_MS);
    await agent.remember({ type: 'semantic', content: 'I moved to Bergen.' });
    kit.clock.advance(HOURS_MS);
    await agent.remember(home);
    expect((await agent.query({})).memories.map(({ content }) => content)).toEqual(['I live in Oslo.']);
  });

  it('follows its dates also where it came by an export, into an agent with memories and one without', async () => {
    const { agent: of } = await kit.tenant();
    const agent = of({ source: 'human', credentialId: null });
    const ids = await tell(agent, 2020, 2021);
    await agent.remember({
      type: 'semantic',
      content: portOf(2023),
      valid_from: year(2023),
      supersedes: [ids[2021] ?? ''],
    });
    const document = JSON.stringify((await agent.export({})).export);
    for (const isEmpty of [true, false]) {
      const { tenantId, agent: other } = await kit.tenant();
      if (!isEmpty) await other().remember({ type: 'episodic', content: 'Tea was at four.' });
      await importAll(kit, tenantId, { 'export.json': document });
      const { memories } = await other().query({ include_superseded: true, type: 'semantic' });
      const idOf = (port: number) => memories.find(({ content }) => content === portOf(port))?.id ?? '';
      await other().update({ id: idOf(2020), valid_from: year(2022) });
      expect(await portsAt(other(), 2022), String(isEmpty)).toContain(2020);
      expect((await other().get({ id: idOf(2021) })).memory.superseded_by).toBe(idOf(2023));
      await other().update({ id: idOf(2020), valid_from: year(2024) });
      expect((await other().get({ id: idOf(2021) })).memory.superseded_by).toBe(idOf(2023));
    }
  });

  it('tells of what it moves by an event', async () => {
    const { agent: of, tenantId } = await kit.tenant();
    const agent = of();
    const ids = await tell(agent, 2020, 2021);
    await agent.update({ id: ids[2020] ?? '', valid_from: year(2022) });
    await agent.update({ id: ids[2020] ?? '', valid_from: year(2019) });
    const events = await kit.engine.database.read(tenantId, (tx) =>
      rows<{ data: unknown }>(tx, sql`SELECT data FROM events WHERE type = 'memory.superseded' ORDER BY id`),
    );
    const turned = [
      { memory_id: ids[2020], superseded_by: ids[2021] },
      { memory_id: ids[2021], superseded_by: ids[2020] },
    ];
    expect(events.map(({ data }) => data)).toEqual([...turned, turned[0]]);
  });
});
