import type { Fault, Lab } from './fault.ts';
import { type Cluster, startCluster } from './lab/cluster.ts';
import { createRandom } from './lab/random.ts';
import { endAll } from './lab/service.ts';
import type { Outcome } from './report.ts';

/** A run of faults one after the other, all of one seed. */
export interface Run {
  make(fault: Fault): Promise<Outcome>;
  close(): Promise<void>;
}

/** Prepares a run; what faults share is started when the first of them needs it. */
export function startRun(seed: number, extent: Pick<Lab, 'rounds' | 'minutes' | 'svg'>): Run {
  let shared: Promise<Cluster> | undefined;
  return {
    make: async (fault) => {
      const began = Date.now();
      const skipped = await fault.missing?.();
      if (skipped) return { fault, skipped, ms: 0 };
      // A fault repeats by the seed whichever others are made.
      const random = createRandom(
        [...fault.name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), seed),
      );
      const seedOf = () => random.between(1, 1_000_000_000);
      const lab: Lab = {
        random,
        ...extent,
        cluster: async () => {
          shared ??= startCluster();
          const cluster = await shared;
          return {
            ...cluster,
            load: (tenant, options) => cluster.load(tenant, { seed: seedOf(), ...options }),
          };
        },
      };
      return { fault, figures: await fault.run(lab), ms: Date.now() - began };
    },
    close: async () => {
      const cluster = await shared?.catch(() => undefined);
      await cluster?.close();
      await endAll();
    },
  };
}
