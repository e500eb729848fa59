import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { memory } from '../records/contract.ts';

/** How many memories that are still active were stored on a day, in UTC. */
const dayOfGrowth = z.object({ date: z.iso.date(), ...field.counts.shape });

/** A memory of the agent's knowledge or core whose content changed, and what it said when the period began. */
const changedFact = z.object({ memory, before: z.string() });

/** A memory whose place another took, and that other one. */
const supersededFact = z.object({ memory, by: memory });

export const activityRoutes = {
  /** What an agent learnt in a period: of its knowledge and its core, not of what merely happened. */
  learnt: route({
    method: 'GET',
    path: '/memories/learnt',
    access: 'read',
    metering: 'free',
    summary: 'Show what was learnt in a period',
    request: z
      .strictObject({
        since: field.since,
        until: field.until.optional(),
        /** Most memories of each kind; the counts are of all. */
        limit: z.int().min(1).max(50).default(5),
      })
      .refine(field.isPeriod, field.NO_PERIOD),
    response: z.object({
      /** What was stored, by type, digests included. */
      stored: field.counts,
      counts: z.object({
        facts: z.int(),
        changed: z.int(),
        superseded: z.int(),
        digests: z.int(),
      }),
      /** New core and semantic memories, newest first. */
      facts: z.array(memory),
      /** Those whose content changed, last changed first. */
      changed: z.array(changedFact),
      /** Those whose place another took, last superseded first. */
      superseded: z.array(supersededFact),
      /** What a reflection made of old episodes, newest first. */
      digests: z.array(memory),
    }),
  }),
  /** How many memories each day brought, in UTC, oldest day first; a day without any is there too. */
  memoryGrowth: route({
    method: 'GET',
    path: '/memories/growth',
    access: 'read',
    metering: 'free',
    summary: 'Count the memories that each day brought',
    request: z.strictObject({ days: z.int().min(1).max(90).default(30) }),
    response: z.object({ days: z.array(dayOfGrowth) }),
  }),
};
