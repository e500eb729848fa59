import { randomUUID } from 'node:crypto';
import { createStaticEmbedder, type Engine } from '@svc-memory/core';
import { memoriesOf } from '../corpus.ts';
import type { Progress } from '../report.ts';
import { type FloorOptions, indexFloor, makeFloor, openFloor } from './floor.ts';

/** How many memories are in how many tenants. */
export interface Stage {
  readonly name: string;
  readonly tenants: number;
  /** In each tenant. */
  readonly memories: number;
  /** What the floor searches with, to be of equal quality: see `FloorOptions`. */
  readonly search?: string;
}

export const STAGES: readonly Stage[] = [
  { name: '1k', tenants: 1, memories: 1_000 },
  { name: '100x1k', tenants: 100, memories: 1_000 },
  { name: '10k', tenants: 1, memories: 10_000, search: '200' },
  { name: '100k', tenants: 1, memories: 100_000, search: 'exact' },
  { name: '1m', tenants: 1, memories: 1_000_000, search: 'exact' },
];

/** A tenant to ask on both sides. */
export interface Asked {
  readonly tenantId: string;
  readonly apiKey: string;
  /** The same tenant on the floor. */
  readonly user: string;
}

const BATCH = 500;
const FLOOR_BATCH = 1_000;

/** Stores the memories of a stage on both sides; answers one of its tenants. */
export async function fillStage(
  stage: Stage,
  engine: Engine,
  floor: FloorOptions,
  progress: Progress,
): Promise<Asked> {
  const embedder = createStaticEmbedder();
  await makeFloor(floor, embedder.dimensions);
  const base = openFloor(floor);
  let asked: Asked | undefined;
  for (let place = 0; place < stage.tenants; place += 1) {
    const { id: tenantId } = await engine.tenants.create({
      displayName: `${stage.name} ${place}`,
      plan: 'local',
    });
    const memories = memoriesOf(stage.memories, 7 + place);
    const user = randomUUID();
    for (let done = 0; done < memories.length; done += BATCH) {
      if (done % 5_000 === 0)
        progress(`${stage.name}: tenant ${place}, ${done} of ${memories.length} memories`);
      await engine.agent(tenantId).rememberBatch({ memories: memories.slice(done, done + BATCH) });
    }
    for (let done = 0; done < memories.length; done += FLOOR_BATCH) {
      const contents = memories.slice(done, done + FLOOR_BATCH).map(({ content }) => content);
      const vectors = await embedder.embed(contents);
      await base.addAll(
        contents.map((content, index) => ({ user, content, vector: vectors[index] ?? new Float32Array() })),
      );
    }
    if (!asked) {
      const { secret } = await engine.apiKeys.create(tenantId, { name: 'benchmark', scope: 'full' });
      asked = { tenantId, apiKey: secret, user };
    }
  }
  await base.close();
  progress(`${stage.name}: indexes`);
  await indexFloor(floor);
  await engine.background.run('recall.index-large');
  if (!asked) throw new Error('a stage has tenants');
  return asked;
}
