import { createEngine, openPostgres } from '@svc-memory/core';
import { type AgentMemory, SvcError } from '@svc-memory/core/contract';
import { cases, type TestDatabase } from '@svc-memory/core/testing';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { emptyDatabase } from './postgres.fixture.ts';

/** Calls of a history that run at once, each through a process of its own. */
const AT_ONCE = 4;
const HISTORIES = 80;
/** Facts that follow one another when a history begins. */
const CHAIN = 6;
/** What tells that a call came too late, or asks for what cannot be: with others at once, that is no defect. */
const REFUSALS = ['NOT_FOUND', 'CONFLICT', 'VALIDATION_ERROR'];
const SAID = ['plum', 'anchor', 'violin', 'glacier', 'lantern', 'copper', 'meadow', 'falcon', 'saddle'];
const SAID_LATER = [
  'walnut',
  'comet',
  'harbor',
  'needle',
  'orchard',
  'pepper',
  'quarry',
  'rudder',
  'spindle',
];

type Engine = ReturnType<typeof createEngine>;
let database: TestDatabase;
let engines: readonly Engine[];
beforeAll(async () => {
  database = await emptyDatabase();
  const open = async () =>
    createEngine({ database: await openPostgres({ url: database.url, poolSize: AT_ONCE }) });
  // The first migrates.
  engines = [await open(), await open()];
});
afterAll(async () => {
  for (const engine of engines) await engine.close();
  await database.drop();
});

/** One call of a history. Numbers name memories by the order in which they were stored. */
type Step =
  | { readonly does: 'tell' | 'link'; readonly which: number; readonly other: number }
  | { readonly does: 'forget' | 'restore' | 'free' | 'undo'; readonly which: number }
  | { readonly does: 'date'; readonly which: number; readonly year: number };

const which = fc.nat({ max: 5 });
const linking = (does: 'tell' | 'link') => fc.record({ does: fc.constant(does), which, other: which });
const plain = fc.record({
  does: fc.constantFrom('forget', 'forget', 'forget', 'restore', 'undo', 'free'),
  which,
});
const dating = fc.record({ does: fc.constant('date'), which, year: fc.integer({ min: 2001, max: 2009 }) });
const step: fc.Arbitrary<Step> = fc.oneof(
  linking('tell'),
  linking('link'),
  dating,
  plain,
  plain,
) as fc.Arbitrary<Step>;
const rounds = fc.array(fc.array(step, { minLength: AT_ONCE, maxLength: AT_ONCE }), {
  minLength: 1,
  maxLength: 3,
});

/** One agent's history: what was stored, in its order. */
class History {
  readonly ids: string[] = [];
  readonly #agents: readonly AgentMemory[];
  readonly #moments: string[] = [];

  constructor(agents: readonly AgentMemory[]) {
    this.#agents = agents;
  }

  /** Stores a chain of facts, each of which supersedes the one before. */
  async begin(): Promise<void> {
    for (let place = 0; place < CHAIN; place += 1) {
      this.#moments.push(new Date().toISOString());
      await this.carryOut({ does: 'tell', which: place - 1, other: place - 1 }, 0);
    }
  }

  async carryOut(step: Step, place: number): Promise<void> {
    const agent = this.#agents[place % this.#agents.length] as AgentMemory;
    const id = this.#idOf(step.which);
    try {
      if (step.does === 'tell') await this.#tell(agent, [id, this.#idOf(step.other)]);
      else if (id === undefined) return;
      else if (step.does === 'link') await this.#link(agent, id, this.#idOf(step.other));
      else if (step.does === 'date') await agent.update({ id, valid_from: `${step.year}-01-01` });
      else if (step.does === 'free') await agent.update({ id, superseded_by: null });
      else if (step.does === 'undo') await agent.undo({ source: 'agent', since: this.#since(step.which) });
      else await agent[step.does]({ id });
    } catch (error) {
      if (!(error instanceof SvcError && REFUSALS.includes(error.code))) throw error;
    }
  }

  async #tell(agent: AgentMemory, replaced: readonly (string | undefined)[]): Promise<void> {
    const number = this.ids.length;
    const content = `Report ${SAID[number % 9]} ${SAID_LATER[Math.floor(number / 9)]}`;
    // Its place is taken before others at once take it.
    this.ids.push('');
    const supersedes = [...new Set(replaced.filter((id) => id !== undefined))];
    const { memory } = await agent.remember({
      type: 'semantic',
      content,
      ...(supersedes.length > 0 && { supersedes }),
    });
    this.ids[number] = memory.id;
  }

  async #link(agent: AgentMemory, id: string, other: string | undefined): Promise<void> {
    if (other !== undefined && other !== id) await agent.update({ id, supersedes: [other] });
  }

  #idOf(place: number): string | undefined {
    const known = this.ids.filter((id) => id !== '');
    return place < 0 || known.length === 0 ? undefined : known[place % known.length];
  }

  /** Before one of the last facts of the beginning was stored. */
  #since(place: number): string {
    return this.#moments[1 + (place % 3)] ?? '';
  }
}

/** What a naive reader makes of all that is stored: what is there, unless the links from it lead to what is there. */
async function expectedOf(agent: AgentMemory): Promise<string[]> {
  const { memories, archived } = (await agent.export({})).export;
  const active = Object.values(memories)
    .flat()
    .filter(({ type }) => type === 'semantic');
  const links = new Map([...active, ...archived].map(({ id, superseded_by }) => [id, superseded_by]));
  const isThere = new Set(active.map(({ id }) => id));
  const holds = (id: string) => {
    const passed = new Set([id]);
    for (let next = links.get(id); next !== undefined && !passed.has(next); next = links.get(next)) {
      if (isThere.has(next)) return false;
      passed.add(next);
    }
    return true;
  };
  return active.flatMap(({ id, content }) => (holds(id) ? [content] : [])).sort();
}

/** What each way to read says. */
async function answersOf(agent: AgentMemory) {
  const contents = (found: readonly { content: string }[]) => found.map(({ content }) => content).sort();
  const { results } = await agent.recall({ query: 'report', threshold: 0, limit: 100 });
  const { injection } = await agent.boot({ preview: true });
  return {
    queried: contents((await agent.query({ type: 'semantic', limit: 100 })).memories),
    recalled: contents(results),
    booted: [...injection.matchAll(/^- \[[^\]]*\] (Report \w+ \w+)/gm)].map(([, text]) => text).sort(),
  };
}

it('calls at once leave chains of facts of which every answer shows what no other in force supersedes', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (lived) => {
      const { id } = await (engines[0] as Engine).tenants.create({ displayName: 'Chains', plan: 'local' });
      const agents = engines.map((engine) => engine.agent(id));
      const history = new History(agents);
      await history.begin();
      for (const round of lived) {
        await Promise.all(round.map((step, place) => history.carryOut(step, place)));
      }
      const expected = await expectedOf(agents[0] as AgentMemory);
      for (const agent of agents) {
        expect(await answersOf(agent)).toEqual({ queried: expected, recalled: expected, booted: expected });
      }
    }),
    { numRuns: cases(HISTORIES, HISTORIES), endOnFailure: true },
  );
});

it('facts of one chain that are dated anew at once stand in the order of their dates', async () => {
  const YEARS = [2001, 2002, 2003, 2004, 2005];
  const year = (n: number) => `${n}-01-01T00:00:00.000Z`;
  for (let time = 0; time < cases(12, 12); time += 1) {
    const { id } = await (engines[0] as Engine).tenants.create({ displayName: 'Dates', plan: 'local' });
    const agents = engines.map((engine) => engine.agent(id));
    const [agent] = agents as [AgentMemory];
    const ids: string[] = [];
    for (const n of YEARS) {
      const content = `The staging server listens on port ${n}.`;
      const { memory } = await agent.remember({ type: 'working', content, valid_from: year(n) });
      ids.push(memory.id);
    }
    const dated = YEARS.map((_, place) => 2010 + ((place * 3 + time) % 5));
    await Promise.all(
      ids.map((one, place) =>
        (agents[place % agents.length] as AgentMemory).update({
          id: one,
          valid_from: year(dated[place] ?? 0),
        }),
      ),
    );
    for (const [place, n] of dated.entries()) {
      const { memories } = await agent.query({ as_of: year(n) });
      expect(memories.map(({ content }) => content)).toEqual([
        `The staging server listens on port ${YEARS[place]}.`,
      ]);
    }
  }
});

/** What two processes do at once to facts of which the later follows the older. */
interface Race {
  readonly does: string;
  /** Whether they state what they replace. */
  readonly states?: boolean;
  /** Brings about what is there before; default: nothing more. */
  readonly before?: (agent: AgentMemory, later: string) => Promise<unknown>;
  readonly one: (agent: AgentMemory, older: string, later: string) => Promise<unknown>;
  readonly other: (agent: AgentMemory, older: string, later: string) => Promise<unknown>;
}

const ROUNDS = 8;
const portOf = (port: number) => `The gateway listens on port ${port}.`;
const tell = (agent: AgentMemory, port: number, supersedes?: string) =>
  agent.remember({
    type: 'semantic',
    content: portOf(port),
    ...(supersedes !== undefined && { supersedes: [supersedes] }),
  });
const tellLast = (agent: AgentMemory) => tell(agent, 8009);
const RACES: readonly Race[] = [
  {
    does: 'each state that they replace the later one',
    states: true,
    one: (agent, _, later) => tell(agent, 8008, later),
    other: (agent, _, later) => tell(agent, 8009, later),
  },
  {
    does: 'each state that they replace the older one',
    states: true,
    one: (agent, older) => tell(agent, 8008, older),
    other: (agent, older) => tell(agent, 8009, older),
  },
  { does: 'each replace it by the rules', one: (agent) => tell(agent, 8008), other: tellLast },
  {
    does: 'replace it, one as stated, one by the rules',
    states: true,
    one: (agent, _, later) => tell(agent, 8008, later),
    other: tellLast,
  },
  {
    does: 'replace and archive it',
    one: (agent, _, later) => agent.forget({ id: later }),
    other: tellLast,
  },
  {
    does: 'replace what it replaced, and restore it',
    before: (agent, later) => agent.forget({ id: later }),
    one: (agent, _, later) => agent.restore({ id: later }),
    other: tellLast,
  },
  {
    does: 'replace it, and change what it says',
    one: (agent, _, later) => agent.update({ id: later, content: portOf(8008) }),
    other: tellLast,
  },
  {
    does: 'replace it, and date it anew',
    one: (agent, _, later) => agent.update({ id: later, valid_from: '2024-01-01' }),
    other: tellLast,
  },
];

it.each(RACES)(
  'of facts that two processes $does at once, one holds',
  async ({ states = false, before, one, other }) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await (engines[0] as Engine).tenants.create({ displayName: 'Races', plan: 'local' });
      const agents = engines.map((engine) => engine.agent(id)) as [AgentMemory, AgentMemory];
      const [agent] = agents;
      const older = await agent.remember({
        type: 'semantic',
        content: portOf(8000),
        valid_from: '2021-01-01',
      });
      const draft = { type: 'semantic', content: portOf(8001), valid_from: '2023-01-01' } as const;
      const later = await agent.remember(draft);
      const ids = [older.memory.id, later.memory.id] as const;
      await before?.(agent, ids[1]);
      await Promise.all([
        one(agents[round % 2] as AgentMemory, ...ids),
        other(agents[(round + 1) % 2] as AgentMemory, ...ids),
      ]);
      const { memories } = await agent.query({ type: 'semantic', limit: 100 });
      expect(memories.map(({ content }) => content)).toHaveLength(1);
      // A statement ends what it names at its own time, also where something between the two begins earlier.
      if (states) continue;
      const { memories: all } = await agent.query({ type: 'semantic', include_superseded: true, limit: 100 });
      for (const { valid_from, occurred_at } of all) {
        const at = await agent.query({ type: 'semantic', as_of: valid_from ?? occurred_at, limit: 100 });
        expect(at.memories).toHaveLength(1);
      }
    }
  },
);

it('facts of one key that one process is told at once wait for each other with one connection, not all of them', async () => {
  const [engine] = engines as [Engine];
  const { id } = await engine.tenants.create({ displayName: 'Key', plan: 'local' });
  const agent = engine.agent(id);
  // None bears on another but by its key.
  const tellKey = (n: number) =>
    agent.remember({ type: 'semantic', key: 'gateway', content: `${SAID[n % 9]} ${SAID_LATER[n % 9]} ${n}` });
  const { memory } = await tellKey(0);
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM memories WHERE id = $1 FOR UPDATE', [memory.id]);
  const telling = Promise.all(Array.from({ length: 2 * AT_ONCE }, (_, n) => tellKey(1 + n)));
  const waiting =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await vi.waitFor(async () => expect((await holder.query(waiting)).rowCount).toBeGreaterThan(0));
  expect((await agent.query({ key: 'gateway' })).memories).toHaveLength(1);
  expect((await holder.query(waiting)).rowCount).toBe(1);
  await holder.query('COMMIT');
  await holder.end();
  const answers = await telling;
  expect(answers.map(({ memory }) => memory.version)).toEqual(answers.map((_, n) => n + 2));
});
