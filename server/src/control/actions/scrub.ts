import type { Engine } from '@svc-memory/core';
import { z } from 'zod';
import { chooseTenants } from '../choose-tenant.ts';
import type { EngineAction } from '../engine-action.ts';

const wanted = z.object({ tenant: z.string().optional(), dryRun: z.boolean() });
type Wanted = z.output<typeof wanted>;

const found = z.object({
  /** Rows looked at. */
  rows: z.number(),
  /** Rows with secrets. */
  changed: z.number(),
  /** Secrets by kind. */
  kinds: z.record(z.string(), z.number()),
});
/** What was taken out, or would be. */
export type Found = z.output<typeof found>;

/** Shows how far the work on one tenant is. */
interface Progress {
  show(done: number, total: number): void;
  stop(): void;
}

/** Takes secrets out of what is stored of all tenants, or of one. */
export const scrub: EngineAction<Wanted, Found> = {
  name: 'scrub',
  input: wanted,
  output: found,
  run: (engine, input) => scrubTenants(engine, input),
};

/**
 * What the action does.
 *
 * @param follow Called with the name of each tenant.
 */
export async function scrubTenants(
  engine: Engine,
  { tenant, dryRun }: Wanted,
  follow: (displayName: string) => Promise<Progress | undefined> = async () => undefined,
): Promise<Found> {
  const tenants = await chooseTenants(engine, tenant);
  const all: Found = { rows: 0, changed: 0, kinds: {} };
  for (const { id, displayName } of tenants) {
    const progress = await follow(displayName);
    const { rows, changed, kinds } = await engine.scrubbing
      .run(id, { dryRun, ...(progress && { onProgress: progress.show }) })
      .finally(() => progress?.stop());
    for (const [kind, count] of Object.entries(kinds)) all.kinds[kind] = (all.kinds[kind] ?? 0) + count;
    all.rows += rows;
    all.changed += changed;
  }
  return all;
}
