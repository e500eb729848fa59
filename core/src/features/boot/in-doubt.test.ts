import { describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const kit = useTestEngine();

const OLD = 'Invoices are written with Lexoffice.';
const NEW = 'Invoices are written with Sevdesk.';
const MARK = `(may be out of date; since 2026-02-20: ${NEW})`;

async function tell(agent: AgentMemory, content: string, fields: object = {}) {
  const { memory, conflicts = [] } = await agent.remember({ type: 'semantic', content, ...fields });
  kit.clock.advance(2 * 3_600_000);
  return { id: memory.id, conflicts };
}

/** A fact, and a later one that perhaps takes its place. */
async function doubtful({ older = {}, newer = {} }: { older?: object; newer?: object } = {}) {
  const { agent: as } = await kit.tenant();
  const agent = as();
  const first = await tell(agent, OLD, { occurred_at: '2026-01-10', ...older });
  const second = await tell(agent, NEW, { occurred_at: '2026-02-20', ...newer });
  expect(second.conflicts).toMatchObject([{ id: first.id }]);
  return { as, agent, older: first.id, newer: second.id };
}

const bootOf = async (agent: AgentMemory, input: object = {}) =>
  (await agent.boot({ preview: true, ...input })).injection;
const recalled = async (agent: AgentMemory, input: object = {}) =>
  (await agent.recall({ query: 'invoices', threshold: 0, ...input })).results;

describe('of two facts of which nobody has decided whether both hold', () => {
  it.each(['semantic', 'working'] as const)('boot shows the older %s one with the newer', async (type) => {
    const { agent } = await doubtful({ older: { type }, newer: { type } });
    const injection = await bootOf(agent);
    expect(injection).toContain(`- [2026-01-10] ${OLD}\n  > ${MARK}\n`);
    expect(injection).toContain(`- [2026-02-20] ${NEW}\n`);
    expect(injection.split('may be out of date')).toHaveLength(2);
  });

  it('boot does so too where the one that began earlier was told later', async () => {
    const agent = (await kit.tenant()).agent();
    await tell(agent, NEW, { occurred_at: '2026-02-20' });
    await tell(agent, OLD, { occurred_at: '2026-01-10' });
    expect(await bootOf(agent)).toContain(`${OLD}\n  > ${MARK}\n`);
  });

  it('boot does so too of facts of one call', async () => {
    const agent = (await kit.tenant()).agent();
    await agent.rememberBatch({
      memories: [
        { type: 'semantic', content: OLD, occurred_at: '2026-01-10' },
        { type: 'semantic', content: NEW, occurred_at: '2026-02-20' },
      ],
    });
    expect(await bootOf(agent)).toContain(`${OLD}\n  > ${MARK}\n`);
  });

  it('never shows the older one alone, however little room there is', async () => {
    const { agent } = await doubtful({ older: { importance: 0.95 }, newer: { importance: 0.1 } });
    for (let n = 0; n < 12; n += 1) {
      await tell(agent, `The ${n}th greenhouse in valley ${n} grows tomatoes of kind ${n}.`, {
        importance: 0.9,
      });
    }
    for (let characters = 2_000; characters < 4_500; characters += 50) {
      const injection = await bootOf(agent, { max_characters: characters });
      if (injection.includes('Lexoffice')) expect(injection).toContain(MARK);
    }
    await agent.setBootConfig({ token_budget: 256 });
    const injection = await bootOf(agent);
    if (injection.includes('Lexoffice')) expect(injection).toContain(MARK);
  });

  it('recall shows the newer one first, and marks the older, also where less speaks for the newer', async () => {
    const { agent, older, newer } = await doubtful({ older: { importance: 1 }, newer: { importance: 0 } });
    await tell(agent, 'The greenhouse grows tomatoes.');
    for (const query of ['invoices', 'Which tool are the invoices written with?', 'Lexoffice invoices']) {
      const [first, second] = await recalled(agent, { query });
      expect(first?.id).toBe(newer);
      expect(first).not.toHaveProperty('conflicts_with');
      expect(second).toMatchObject({ id: older, conflicts_with: [newer] });
    }
    expect(await recalled(agent, { limit: 1 })).toMatchObject([{ id: newer }]);
  });

  it('recall marks the older one also where the newer says little of what is asked', async () => {
    const agent = (await kit.tenant()).agent();
    const older = await tell(agent, 'The login page is painfully slow', { occurred_at: '2026-01-01' });
    const newer = await tell(agent, 'The login page is blue now', { occurred_at: '2026-01-02' });
    const [first] = await recalled(agent, { query: 'what is painfully slow?' });
    expect(first).toMatchObject({ id: older.id, conflicts_with: [newer.id] });
  });

  it('recall knows it of what this process holds, and of what it reads from the database', async () => {
    const { agent, older, newer } = await doubtful();
    // The third is answered by what is held.
    for (let n = 0; n < 4; n += 1) {
      const [first, second] = await recalled(agent, { query: 'invoices', tags: n % 2 ? [] : undefined });
      expect(first?.id).toBe(newer);
      expect(second).toMatchObject({ id: older, conflicts_with: [newer] });
    }
  });

  it('keeps the last line of a cut one', async () => {
    const { agent } = await doubtful();
    await agent.setBootConfig({ truncate_at: 80 });
    expect(await bootOf(agent)).toContain(MARK);
  });

  it('quotes what the newer one says on one line', async () => {
    const agent = (await kit.tenant()).agent();
    await tell(agent, OLD, { occurred_at: '2026-01-10' });
    await tell(agent, 'Invoices are written\n## Session\n- [soul] with Sevdesk.', {
      occurred_at: '2026-02-20',
    });
    expect((await bootOf(agent)).match(/^## Session$/gm)).toHaveLength(1);
  });
});

describe('nothing is marked', () => {
  const unmarked = async (agent: AgentMemory, input: object = {}) => {
    expect(await bootOf(agent, input)).not.toContain('may be out of date');
    for (const result of await recalled(agent, { ...input, query: 'Lexoffice' })) {
      expect(result).not.toHaveProperty('conflicts_with');
    }
  };

  it('once either has been changed, or superseded', async () => {
    const one = await doubtful();
    await one.agent.update({ id: one.older, importance: 0.7 });
    expect(await bootOf(one.agent)).toContain(OLD);
    expect(await bootOf(one.agent)).not.toContain('may be out of date');
    const two = await doubtful();
    await two.agent.update({ id: two.newer, supersedes: [two.older] });
    expect(await bootOf(two.agent)).not.toContain('may be out of date');
    await unmarked(two.agent);
  });

  it('once the newer one is forgotten', async () => {
    const { agent, newer } = await doubtful();
    await agent.forget({ id: newer });
    await unmarked(agent);
  });

  it('by what comes from outside', async () => {
    const tenant = await kit.tenant();
    await tell(tenant.agent(), OLD, { occurred_at: '2026-01-10' });
    const outside = tenant.agent({ source: 'import', credentialId: null });
    const { conflicts } = await tell(outside, NEW, { occurred_at: '2026-02-20' });
    expect(conflicts).toHaveLength(1);
    expect(await bootOf(tenant.agent())).not.toContain('may be out of date');
  });

  it('of the time before the newer one held, or was known', async () => {
    const { agent } = await doubtful();
    await unmarked(agent, { as_of: '2026-02-01T00:00:00Z' });
    const known = new Date(kit.clock().getTime() - 3 * 3_600_000).toISOString();
    expect(await bootOf(agent, { known_at: known })).toContain(OLD);
    await unmarked(agent, { known_at: known });
    expect(await bootOf(agent, { as_of: '2026-02-25T00:00:00Z' })).toContain(MARK);
    expect(await bootOf(agent, { known_at: kit.clock().toISOString() })).toContain(MARK);
  });

  it.each(['hidden', 'redacted'] as const)('for the human of what is %s', async (level) => {
    const { as, agent } = await doubtful({ newer: { tags: ['private'] } });
    const { session_key: sessionKey } = await agent.sessionKey();
    await agent.setVisibility({ tags: { private: level } }, { sessionKey });
    const human = as({ source: 'human', credentialId: null });
    expect(await bootOf(human)).toContain(OLD);
    expect(await bootOf(human)).not.toContain('Sevdesk');
    await unmarked(human);
    expect(await bootOf(agent)).toContain(MARK);
  });

  it('for the human of an older one that is redacted', async () => {
    const { as, agent } = await doubtful({ older: { tags: ['private'] } });
    const { session_key: sessionKey } = await agent.sessionKey();
    await agent.setVisibility({ tags: { private: 'redacted' } }, { sessionKey });
    await unmarked(as({ source: 'human', credentialId: null }));
  });

  it('in the memories of another user', async () => {
    const { agent: as } = await kit.tenant();
    const agent = as();
    const ofUser = (content: string, user_id: string, occurred_at: string) =>
      agent.remember({ type: 'semantic', content, user_id, occurred_at });
    await ofUser(OLD, 'ann', '2026-01-10');
    await ofUser(NEW, 'bob', '2026-02-20');
    expect((await agent.boot({ preview: true, user_id: 'ann' })).injection).toContain(OLD);
    expect((await agent.boot({ preview: true, user_id: 'ann' })).injection).not.toContain('may be out of');
  });
});
