import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { changesOf } from '../../kernel/contract/settings.ts';

export const VISIBILITY_LEVELS = ['full', 'redacted', 'hidden'] as const;
/** How much of a memory the human sees: all of it, its type and dates, or nothing. */
export type VisibilityLevel = (typeof VISIBILITY_LEVELS)[number];
const level = z.enum(VISIBILITY_LEVELS);

const MOST_TAG_RULES = 200;

/** What the agent shows its human; where several rules match a memory, the strictest wins. */
export const visibilitySettings = z.strictObject({
  default: level.default('full'),
  types: z.partialRecord(field.memoryType, level).default({}),
  categories: z.partialRecord(field.category, level).default({}),
  tags: z
    .record(field.tag, level)
    .refine((rules) => Object.keys(rules).length <= MOST_TAG_RULES, `must be at most ${MOST_TAG_RULES} tags`)
    .default({}),
});
export type VisibilitySettings = z.output<typeof visibilitySettings>;

/** The settings of an agent that never set any: its human sees everything. */
export const DEFAULT_VISIBILITY: VisibilitySettings = visibilitySettings.parse({});

export const visibilityRoutes = {
  /** What the agent shows its human. */
  visibility: route({
    method: 'GET',
    path: '/visibility',
    access: 'read',
    metering: 'free',
    summary: 'Show the visibility settings',
    request: z.strictObject({}),
    response: z.object({ visibility: visibilitySettings }),
  }),
  /** Changes the named parts of the settings and keeps the others; only the agent may, with its session key. */
  setVisibility: route({
    method: 'POST',
    path: '/visibility',
    access: 'session',
    metering: 'counted',
    summary: 'Change the visibility settings',
    request: changesOf(visibilitySettings),
    response: z.object({ visibility: visibilitySettings, redacted: field.redacted }),
  }),
};
