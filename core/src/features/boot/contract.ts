import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { changesOf } from '../../kernel/contract/settings.ts';
import { framework } from '../compaction-log/contract.ts';
import { explainedRecall } from '../recall/contract.ts';
import type { Section } from './section.ts';

declare module '../../kernel/context/hooks.ts' {
  interface ChangingHooks {
    /** The sections of an injection about to be rendered, in order. */
    'boot:sections': readonly Section[];
  }
}

/** Sizes that govern the boot injection. */
const bootConfig = z.object({
  /** o200k tokens the injection may take, 256..200,000. */
  token_budget: z.int().min(256).max(200_000).default(4000),
  /** Recent episodic memories included, 0..200. */
  episodic_limit: z.int().min(0).max(200).default(20),
  /** Characters an entry may take before it is cut, 80..32,768. */
  truncate_at: z.int().min(80).max(field.LIMITS.contentCharacters).default(600),
});
export type BootConfig = z.output<typeof bootConfig>;

/** The settings of an agent that never set any. */
export const DEFAULT_BOOT_CONFIG: BootConfig = bootConfig.parse({});

const bootConfigChange = changesOf(bootConfig);

/** What one section takes of the budget. */
const bootSection = z.object({
  /** `identity`, `relationship`, `operations`, `working`, `upcoming`, `episodic`, `semantic`, `session`, or a plugin's. */
  name: z.string(),
  title: z.string(),
  estimated_tokens: z.int(),
  /** Entries that found a place, and those that did not. */
  shown: z.int(),
  omitted: z.int(),
  /** The memories that were looked at, in the order of the text: the beginning of each, and whether it found a place. */
  entries: z.array(z.object({ id: z.uuid(), content: z.string(), shown: z.boolean() })),
});
export type SectionSize = z.output<typeof bootSection>;

export const bootRoutes = {
  /** The text that restores the agent at the start of a session. */
  boot: route({
    method: 'GET',
    path: '/memories/boot',
    access: 'read',
    metering: 'counted',
    users: 'both',
    spaces: 'read',
    summary: 'Get the boot injection',
    request: z.strictObject({
      ...field.ofUserOrSpace,
      preview: z.boolean().default(false),
      context_hint: field.text(field.LIMITS.queryCharacters).optional(),
      /** The host's id of the session, and the agent framework that calls: shown by `GET /compactions`. */
      session_id: field.sessionId.optional(),
      framework: framework.optional(),
      ...field.injectionLimits,
      as_of: field.timestamp.optional().meta({
        description: 'Shows what held at this moment instead of now; a preview, which changes nothing.',
      }),
      known_at: field.validity.known_at,
      explain: z
        .boolean()
        .default(false)
        .meta({ description: 'Also why the hint brought to mind what it did, and what it did not.' }),
    }),
    response: z.object({
      injection: z.string(),
      estimated_tokens: z.int(),
      counts: field.counts,
      explained: explainedRecall.optional(),
    }),
  }),
  /** The sizes that govern the boot injection. */
  bootConfig: route({
    method: 'GET',
    path: '/boot-config',
    access: 'read',
    metering: 'free',
    summary: 'Show the boot settings',
    request: z.strictObject({}),
    response: z.object({ boot_config: bootConfig }),
  }),
  /** What a boot would give with other sizes, and which section takes how much of it; changes nothing. */
  previewBoot: route({
    method: 'GET',
    path: '/boot-config/preview',
    access: 'read',
    metering: 'free',
    summary: 'Preview the boot injection with other settings',
    request: bootConfigChange,
    response: z.object({
      /** The settings it was made with. */
      boot_config: bootConfig,
      injection: z.string(),
      estimated_tokens: z.int(),
      counts: field.counts,
      /** In the order of the text; what is left of the tokens are the service's own words around them. */
      sections: z.array(bootSection),
    }),
  }),
  /** Changes the named sizes and keeps the others. */
  setBootConfig: route({
    method: 'POST',
    path: '/boot-config',
    access: 'write',
    metering: 'counted',
    summary: 'Change the boot settings',
    request: bootConfigChange,
    response: z.object({ boot_config: bootConfig }),
  }),
};
