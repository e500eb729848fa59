import { randomUUID } from 'node:crypto';
import { createEngine, createStaticEmbedder, type Database, type Engine } from '@svc-memory/core';
import { endlessMemories, memoriesOf, take } from '../corpus.ts';
import type { Progress } from '../report.ts';
import { type FloorOptions, indexFloor, makeFloor, openFloor } from './floor.ts';
import { answersOf, narrowingsOf } from './isolation.ts';
import { type Load, openLoader } from './loader.ts';

/** How many memories are in how many tenants. */
export interface Stage {
  readonly name: string;
  readonly tenants: number;
  /** In each tenant. */
  readonly memories: number;
  /** What the floor searches with, to be of equal quality: see `FloorOptions`. */
  readonly search?: string;
  /** Whether the floor's only index is the one on the user: one over all vectors would find nothing of so small a one. */
  readonly byUser?: true;
}

export const STAGES: readonly Stage[] = [
  { name: '1k', tenants: 1, memories: 1_000 },
  { name: '100x1k', tenants: 100, memories: 1_000 },
  { name: '10k', tenants: 1, memories: 10_000, search: '200' },
  { name: '100k', tenants: 1, memories: 100_000, search: 'exact' },
  { name: '1m', tenants: 1, memories: 1_000_000, search: 'exact' },
  { name: '10000x200', tenants: 10_000, memories: 200, byUser: true },
];

/** A tenant to ask on both sides. */
export interface Asked {
  readonly tenantId: string;
  readonly apiKey: string;
  /** The same tenant on the floor. */
  readonly user: string;
  /** What it was answered while there was no other tenant; of one that has company. */
  readonly alone?: readonly string[];
}

/** Memories loaded at once. */
const BATCH = 20_000;
const FLOOR_BATCH = 1_000;
/** Asked of the first tenant alone, and again among the others. */
const QUESTIONS = 120;
const MOMENT = new Date('2026-03-01T12:00:00.000Z');
/** Seed of the first tenant's memories. */
const FIRST = 7;

/** Where a stage is filled on our side. */
export interface Place {
  readonly url: string;
  readonly database: Database;
  readonly engine: Engine;
}

/** Stores the memories of a stage on both sides; answers one of its tenants. */
export async function fillStage(
  stage: Stage,
  { url, database, engine }: Place,
  floor: FloorOptions,
  progress: Progress,
): Promise<Asked> {
  const embedder = createStaticEmbedder();
  await makeFloor(floor, embedder.dimensions);
  const base = openFloor(floor);
  const loader = openLoader({ url, database, embedder });
  let asked: Asked | undefined;
  let waiting: Load[] = [];
  let stored = 0;
  const all = stage.tenants * stage.memories;
  const load = async (least: number) => {
    const count = waiting.reduce((sum, { memories }) => sum + memories.length, 0);
    if (count < least) return;
    await loader.load(waiting);
    stored += count;
    progress(`${stage.name}: ${stored} of ${all} memories`);
    waiting = [];
  };
  for (let place = 0; place < stage.tenants; place += 1) {
    const displayName = `${stage.name} ${place}`;
    const { id: tenantId } = await engine.tenants.create({ displayName, plan: 'local' });
    const user = randomUUID();
    const source = endlessMemories(FIRST + place);
    for (let done = 0; done < stage.memories; done += BATCH) {
      const memories = take(source, Math.min(BATCH, stage.memories - done));
      waiting.push({ tenantId, memories });
      await load(BATCH);
      for (let from = 0; from < memories.length; from += FLOOR_BATCH) {
        const contents = memories.slice(from, from + FLOOR_BATCH).map(({ content }) => content);
        const vectors = await embedder.embed(contents);
        await base.addAll(
          contents.map((content, index) => ({ user, content, vector: vectors[index] ?? new Float32Array() })),
        );
      }
    }
    if (!asked) {
      await load(stage.tenants > 1 ? 1 : BATCH);
      const alone = stage.tenants > 1 && (await answersAlone(stage, database, tenantId));
      const { secret } = await engine.apiKeys.create(tenantId, { name: 'benchmark', scope: 'full' });
      asked = { tenantId, apiKey: secret, user, ...(alone && { alone }) };
    }
  }
  await load(1);
  await loader.close();
  await base.close();
  progress(`${stage.name}: indexes`);
  await indexFloor(floor, { vectors: !stage.byUser && floor.search !== 'exact' });
  await engine.background.run('recall.index-large');
  if (!asked) throw new Error('a stage has tenants');
  return asked;
}

/** What the first tenant of a stage is answered; asked again among all others, it must be answered the same. */
export function answersAlone(stage: Stage, database: Database, tenantId: string): Promise<string[]> {
  const narrowings = narrowingsOf(memoriesOf(stage.memories, FIRST));
  // Always at the same moment: questions speak of "last month", and memories fade.
  const engine = createEngine({ database, clock: () => MOMENT });
  return answersOf(engine.agent(tenantId), narrowings, QUESTIONS);
}
