import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { changesOf } from '../../kernel/contract/settings.ts';
import { startedJob } from '../jobs/contract.ts';
import { CONFLICT_STATUSES } from '../supersession/statuses.ts';

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

/** A pair of facts of which the rules cannot tell whether both hold. */
const conflict = z.object({
  id: z.uuid(),
  older_id: z.uuid(),
  newer_id: z.uuid(),
  found_at: field.instant,
  /**
   * `waiting` for the language model; it found that the newer one `replaced` the older or that both are to be `kept`; it was
   * `unanswered` so often that nobody asks again; or `outdated`, since one of the two is not what it was.
   */
  status: z.enum(CONFLICT_STATUSES),
  asked_at: field.instant.nullable(),
});

declare module '../../kernel/context/context.ts' {
  interface EngineSettings {
    /** How often within 24 hours the language model is asked about one agent's doubtful pairs; 0 for never. Default 200. */
    readonly conflictsPerDay: number;
  }
}

/** The settings of an agent that never set any. */
export const DEFAULT_REFLECT_CONFIG: ReflectConfig = reflectConfig.parse({});

const reflectConfigChange = changesOf(reflectConfig);

export const reflectionRoutes = {
  /** The doubtful pairs that are left to the language model, where there is one, and what it made of them; newest first. */
  conflicts: route({
    method: 'GET',
    path: '/conflicts',
    access: 'read',
    metering: 'free',
    summary: 'Show the doubtful pairs of facts and what the language model decided',
    request: z.strictObject({
      status: z.enum(CONFLICT_STATUSES).optional(),
      limit: field.limit.default(20),
      cursor: field.cursor.optional(),
    }),
    response: z.object({
      conflicts: z.array(conflict),
      next_cursor: z.string().nullable(),
      asked: z.object({
        /** Questions to the model within 24 hours; null for a human from whom the agent withholds memories. */
        last_24_hours: z.int().nullable(),
        /** The most that there may be; 0 without a model. */
        at_most: z.int(),
      }),
    }),
  }),
  /** Starts a consolidation, or answers the one that has not ended. */
  reflect: route({
    method: 'POST',
    path: '/reflect',
    access: 'write',
    metering: 'limited',
    summary: 'Turn old episodes into knowledge, merge copies and mark contradictions',
    /** Default: as configured. */
    request: reflectConfigChange.pick({ older_than_days: true, archive_sources: true }),
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
    request: reflectConfigChange,
    response: z.object({ reflect_config: reflectConfig }),
  }),
};
