import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { cases } from '../../testing/index.ts';

const kit = useTestEngine();

const SERVICES = ['billing', 'search', 'mail'];

/** One thing done to what is known of a service: told anew under its key, archived, or brought back. */
interface Step {
  readonly service: number;
  readonly deed: 'tell' | 'forget' | 'restore';
  readonly port: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  service: fc.integer({ min: 0, max: SERVICES.length - 1 }),
  deed: fc.constantFrom('tell', 'tell', 'forget', 'restore'),
  port: fc.integer({ min: 1_000, max: 9_999 }),
});

/** What a naive store holds: the content under each key, and what was archived last. */
interface Naive {
  readonly active: Map<number, { id: string; content: string }>;
  readonly archived: Map<number, { id: string; content: string }>;
}

async function carryOut(agent: AgentMemory, { service, deed, port }: Step, { active, archived }: Naive) {
  const known = active.get(service);
  const gone = archived.get(service);
  if (deed === 'tell') {
    const content = `The ${SERVICES[service]} service listens on port ${port}.`;
    const key = `port:${SERVICES[service]}`;
    const { memory } = await agent.remember({ type: 'working', key, content });
    active.set(service, { id: memory.id, content });
  } else if (deed === 'forget' && known) {
    await agent.forget({ id: known.id });
    active.delete(service);
    archived.set(service, known);
  } else if (deed === 'restore' && gone && !known) {
    await agent.restore({ id: gone.id });
    archived.delete(service);
    active.set(service, gone);
  }
}

const contentsOf = (found: readonly { content: string }[]) => found.map(({ content }) => content).sort();

/** What an export of a moment holds, and that it holds nothing of other moments. */
async function exported(agent: AgentMemory, moments: { as_of?: string; known_at?: string }) {
  const { memories, archived, history } = (await agent.export(moments)).export;
  expect([archived, history]).toEqual([[], []]);
  return contentsOf(Object.values(memories).flat());
}

/** What boot, query, recall and export say that was known at a moment. */
async function known(agent: AgentMemory, known_at: string) {
  const { memories } = await agent.query({ known_at, limit: 100 });
  const asked = { query: 'which port does the service listen on', threshold: 0, limit: 100 };
  const { results } = await agent.recall({ ...asked, known_at });
  const { injection, counts } = await agent.boot({ known_at });
  expect(counts.working).toBe(memories.length);
  return {
    booted: [...injection.matchAll(/The \w+ service listens on port \d+\./g)].map(([text]) => text).sort(),
    queried: contentsOf(memories),
    recalled: contentsOf(results),
    exported: await exported(agent, { known_at }),
  };
}

describe('what was known', () => {
  it('is answered for every moment as a naive store answers it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const agent = (await kit.tenant()).agent();
        const naive: Naive = { active: new Map(), archived: new Map() };
        const moments: { at: string; contents: string[] }[] = [];
        for (const one of steps) {
          await carryOut(agent, one, naive);
          moments.push({ at: kit.clock().toISOString(), contents: contentsOf([...naive.active.values()]) });
          kit.clock.advance(1_000);
        }
        for (const { at, contents } of moments) {
          expect(await known(agent, at), JSON.stringify(steps)).toEqual({
            booted: contents,
            queried: contents,
            recalled: contents,
            exported: contents,
          });
        }
      }),
      { numRuns: cases(2, 30), endOnFailure: true },
    );
  });

  it('is what a memory said then: its words find it, and those of now do not', async () => {
    const agent = (await kit.tenant()).agent();
    const { memory } = await agent.remember({
      type: 'semantic',
      content: 'The tent is stored in the attic.',
    });
    const then = kit.clock().toISOString();
    kit.clock.advance(1_000);
    await agent.update({ id: memory.id, content: 'Bread is baked on Fridays.' });
    const recall = async (query: string) =>
      contentsOf((await agent.recall({ query, known_at: then })).results);
    expect(await recall('where is the tent')).toEqual(['The tent is stored in the attic.']);
    expect(await recall('when is bread baked')).toEqual([]);
    expect(contentsOf((await agent.recall({ query: 'when is bread baked' })).results)).toEqual([
      'Bread is baked on Fridays.',
    ]);
  });

  it('knows nothing of what replaced it later, and all filters hold for it as it was', async () => {
    const agent = (await kit.tenant()).agent();
    const old = { type: 'semantic', content: 'The billing service listens on port 8080.' } as const;
    const { memory } = await agent.remember({ ...old, tags: ['infra'], metadata: { team: 'a' } });
    const then = kit.clock().toISOString();
    kit.clock.advance(3_600_000);
    await agent.remember({ ...old, content: 'The billing service listens on port 9090.' });
    await agent.update({ id: memory.id, tags: ['former'], metadata: { team: 'b' } });
    expect(contentsOf((await agent.query({})).memories)).toEqual([
      'The billing service listens on port 9090.',
    ]);
    const [known] = (await agent.query({ known_at: then, tags: ['infra'], metadata: { team: 'a' } }))
      .memories;
    expect(known).toMatchObject({ content: old.content, version: 1 });
    expect(known).not.toHaveProperty('superseded_by');
    expect((await agent.query({ known_at: then, tags: ['former'] })).memories).toEqual([]);
    const recalled = await agent.recall({ query: 'billing port', known_at: then, tags: ['infra'] });
    expect(contentsOf(recalled.results)).toEqual([old.content]);
  });

  it('and what held at a moment are two things, also in an export', async () => {
    const agent = (await kit.tenant()).agent();
    const port = (number: number, occurred_at: string) =>
      agent.remember({
        type: 'semantic',
        content: `The billing service listens on port ${number}.`,
        occurred_at,
      });
    await port(8080, '2026-01-01');
    const learnt = kit.clock().toISOString();
    kit.clock.advance(3_600_000);
    await port(9090, '2026-01-10');
    const [old, current] = [8080, 9090].map((number) => `The billing service listens on port ${number}.`);
    expect(await exported(agent, { as_of: '2025-12-31' })).toEqual([]);
    expect(await exported(agent, { as_of: '2026-01-09T23:59:59.999Z' })).toEqual([old]);
    expect(await exported(agent, { as_of: '2026-01-10' })).toEqual([current]);
    expect(await exported(agent, { as_of: '2026-01-10', known_at: learnt })).toEqual([old]);
    expect(await exported(agent, { as_of: '2025-12-31', known_at: learnt })).toEqual([]);
  });

  it('is nothing that was erased, has expired, or was taken back by an undo', async () => {
    const agent = (await kit.tenant()).agent();
    const expires_at = new Date(kit.clock().getTime() + 60_000).toISOString();
    await agent.remember({ type: 'semantic', content: 'The guest code is 4711.', expires_at });
    await agent.remember({ type: 'semantic', content: 'The spare key hangs behind the shed.' });
    const then = kit.clock().toISOString();
    const said = ['The guest code is 4711.', 'The spare key hangs behind the shed.'];
    expect(contentsOf((await agent.query({ known_at: then })).memories)).toEqual(said);
    kit.clock.advance(120_000);
    expect(contentsOf((await agent.query({ known_at: then })).memories)).toEqual(said.slice(1));
    expect((await agent.query({ known_at: '2020-01-01' })).memories).toEqual([]);
  });

  it('pages without gaps', async () => {
    const agent = (await kit.tenant()).agent();
    for (let n = 0; n < 7; n += 1) await agent.remember({ type: 'episodic', content: `Step ${n} was done.` });
    const then = kit.clock().toISOString();
    kit.clock.advance(1_000);
    await agent.remember({ type: 'episodic', content: 'Something later.' });
    const contents: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<AgentMemory['query']>> = await agent.query({
        known_at: then,
        limit: 3,
        ...(cursor ? { cursor } : {}),
      });
      contents.push(...contentsOf(page.memories));
      cursor = page.next_cursor;
    } while (cursor);
    expect(contents.sort()).toEqual(Array.from({ length: 7 }, (_, n) => `Step ${n} was done.`));
  });
});
