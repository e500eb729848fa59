import { z } from 'zod';
import { route } from '../../kernel/contract/route.ts';
import { startedJob } from '../jobs/contract.ts';

/** How an agent's memory is consolidated. */
const reflectConfig = z.object({
  /** Whether the service reflects by itself. */
  enabled: z.boolean().default(true),
  /** Hours from one reflection to the next, 1..720. */
  every_hours: z.int().min(1).max(720).default(24),
  /** Days after which an episode may go into a digest, 0..3,650. */
  older_than_days: z.int().min(0).max(3_650).default(7),
  /** Whether episodes are archived once they are in a digest; they can be restored for 30 days. */
  archive_sources: z.boolean().default(false),
});
export type ReflectConfig = z.output<typeof reflectConfig>;

/** The settings of an agent that never set any. */
export const DEFAULT_REFLECT_CONFIG: ReflectConfig = reflectConfig.parse({});

const { older_than_days, archive_sources } = reflectConfig.shape;

export const reflectionRoutes = {
  /** Starts a consolidation, or answers the one that has not ended. */
  reflect: route({
    method: 'POST',
    path: '/reflect',
    access: 'write',
    metering: 'counted',
    summary: 'Turn old episodes into knowledge, merge copies and mark contradictions',
    request: z.strictObject({
      /** Default: as configured. */
      older_than_days: older_than_days.unwrap().optional(),
      /** Default: as configured. */
      archive_sources: archive_sources.unwrap().optional(),
    }),
    response: startedJob,
    errors: ['CONFLICT'],
  }),
  /** How this agent's memory is consolidated. */
  reflectConfig: route({
    method: 'GET',
    path: '/reflect-config',
    access: 'read',
    metering: 'free',
    summary: 'Show the reflection settings',
    request: z.strictObject({}),
    response: z.object({ reflect_config: reflectConfig }),
  }),
  /** Changes the named settings and keeps the others. */
  setReflectConfig: route({
    method: 'POST',
    path: '/reflect-config',
    access: 'write',
    metering: 'counted',
    summary: 'Change the reflection settings',
    request: z.strictObject({
      enabled: reflectConfig.shape.enabled.unwrap().optional(),
      every_hours: reflectConfig.shape.every_hours.unwrap().optional(),
      older_than_days: older_than_days.unwrap().optional(),
      archive_sources: archive_sources.unwrap().optional(),
    }),
    response: z.object({ reflect_config: reflectConfig }),
  }),
};
