import { expect } from 'vitest';
import type { AgentMemory, Output } from '../../../app/contract.ts';
import { createEngine, type Engine } from '../../../app/engine.ts';
import { startTestEngine, type TestEngine } from '../../../testing/index.ts';
import type { Embedder } from '../../embedding/embedder.ts';

/** An engine of which is watched what it holds. */
export interface Watched {
  readonly engine: Engine;
  /** Resolves when this engine holds the tenant's memories: then the database is not searched. */
  untilHeld(tenantId: string): Promise<void>;
  isHeld(tenantId: string): Promise<boolean>;
  /** How often a recall asks the database. */
  asksOf(tenantId: string): Promise<number>;
  /** How often memories are read to be held while a recall runs, and behind it. */
  loadsOf(tenantId: string): Promise<number>;
}

/**
 * An engine over the same database, with so much room for busy tenants' memories.
 *
 * @param onAsk Called whenever the engine asks the database.
 */
export function watched(
  kit: TestEngine,
  recallHeldBytes: number,
  { embedder, onAsk }: { embedder?: Embedder; onAsk?: () => void } = {},
): Watched {
  const { database } = kit.engine;
  let asked = 0;
  let searched = false;
  let loaded = 0;
  const batch: typeof database.batch = async (tenantId, statements) => {
    asked += 1;
    onAsk?.();
    const answers = await database.batch(tenantId, statements);
    loaded += answers.filter(([row]) => typeof row === 'object' && row !== null && 'changes' in row).length;
    searched ||= answers.some(([row]) => typeof row === 'object' && row !== null && 'found' in row);
    return answers;
  };
  const engine = createEngine({
    clock: kit.clock,
    database: { ...database, batch },
    settings: { recallHeldBytes },
    ...(embedder ? { embedder } : {}),
  });
  const ask = (tenantId: string) => {
    asked = 0;
    searched = false;
    return engine.agent(tenantId).recall({ query: 'violin', threshold: 0 });
  };
  const isHeld = async (tenantId: string) => {
    await ask(tenantId);
    return !searched;
  };
  const asksOf = async (tenantId: string) => {
    await ask(tenantId);
    return asked;
  };
  const loadsOf = async (tenantId: string) => {
    loaded = 0;
    await ask(tenantId);
    // What begins behind a recall is asked for before anything later is answered.
    await database.ping();
    return loaded;
  };
  const untilHeld = (tenantId: string) => expect.poll(() => isHeld(tenantId), { timeout: 20_000 }).toBe(true);
  return { engine, isHeld, asksOf, loadsOf, untilHeld };
}

const NAMES = ['Ann', 'Bo', 'Chen', 'Dara', 'Eve', 'Farid'];
const THINGS = [
  'kettle',
  'garden',
  'invoice',
  'violin',
  'harbour',
  'compass',
  'orchard',
  'curtain',
  'lighthouse',
];
const DEEDS = ['bought', 'sold', 'painted', 'lost', 'found', 'repaired', 'borrowed'];
export const QUESTIONS = [
  'who painted the lighthouse?',
  'When did Ann lose the violin?',
  'what did Bo buy last week',
  'harbour',
  'the newest about the orchard',
  'Chen: I sold the compass in March.',
  'lighthous keper',
  'zebra quantum',
];
export const FILTERS = [
  { types: ['episodic'] },
  { types: ['semantic', 'core'] },
  { tags: ['even'] },
  { session_id: 's3' },
  { since: '2026-01-10', until: '2026-02-01' },
  { category: 'tools' },
] as const;

/** One of endless different memories. */
export function told(n: number) {
  const [name, deed, thing] = [NAMES[n % 6], DEEDS[(n * 5) % 7], THINGS[(n * 7) % 9]];
  const types = ['episodic', 'semantic', 'core'] as const;
  const type = types[n % 3] ?? 'semantic';
  return {
    type,
    content: `${name}: I ${deed} the ${thing}${n % 4 === 0 ? ' yesterday, did you?' : ` number ${n}.`}`,
    ...(type === 'core' ? { category: n % 2 ? ('tools' as const) : ('routine' as const) } : {}),
    ...(n % 2 ? {} : { tags: ['even', `n${n % 10}`] }),
    ...(type === 'episodic' ? { session_id: `s${n % 7}` } : {}),
    importance: (n % 10) / 10,
    occurred_at: new Date(Date.UTC(2026, 0, 1 + (n % 45), n % 24)).toISOString(),
  };
}

/** Two engines over the same database: one holds busy tenants' memories, the other never does. */
export async function startHolding() {
  const kit = await startTestEngine();
  const holding = watched(kit, 8 * 1024 ** 2);
  const plain = watched(kit, 0).engine;
  return {
    kit,
    holding,
    plain,
    /** A tenant with memories, held by one engine and asked of both. */
    async held(count: number) {
      const { tenantId } = await kit.tenant();
      const [here, there] = [holding.engine.agent(tenantId), plain.agent(tenantId)];
      for (let done = 0; done < count; done += 200) {
        const batch = Array.from({ length: Math.min(200, count - done) }, (_, n) => told(done + n));
        await there.rememberBatch({ memories: batch });
      }
      await holding.untilHeld(tenantId);
      return { tenantId, here, there };
    },
  };
}

/** As answered from memory, where the numbers of vectors are rounded: a similarity may differ by what that makes. */
function roundly({ results, ...more }: Output<'recall'>) {
  const round = results.map((one) => ({ ...one, similarity: expect.closeTo(one.similarity, 3) }));
  return { results: round, ...more };
}

/** Asks both, and expects the same memories in the same order, alike in every field. */
export async function expectSame(
  here: AgentMemory,
  there: AgentMemory,
  input: object = {},
  questions: readonly string[] = QUESTIONS.slice(0, 3),
) {
  for (const query of questions) {
    const ask = { query, threshold: 0, limit: 20, ...input };
    expect(await here.recall(ask), `${query} ${JSON.stringify(input)}`).toEqual(
      roundly(await there.recall(ask)),
    );
  }
}
