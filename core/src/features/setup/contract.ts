import { z } from 'zod';
import { route } from '../../kernel/contract/route.ts';

/** Agent frameworks that have set-up steps of their own; `generic` is for every other. */
export const FRAMEWORKS = [
  'claude-code',
  'codex',
  'gemini-cli',
  'cursor',
  'opencode',
  'claude-desktop',
  'ai-sdk',
  'langchain',
  'generic',
] as const;
export type Framework = (typeof FRAMEWORKS)[number];

export const setupRoutes = {
  /** The exact steps that connect an agent framework, as text for an agent or a person to follow. */
  setupScript: route({
    method: 'GET',
    path: '/setup-script',
    access: 'read',
    metering: 'free',
    summary: 'Get the set-up steps of an agent framework',
    request: z.strictObject({ framework: z.enum(FRAMEWORKS).default('generic') }),
    response: z.object({
      framework: z.enum(FRAMEWORKS),
      /** Markdown. Fixed text: nothing of any memory is in it. */
      script: z.string(),
      frameworks: z.array(z.enum(FRAMEWORKS)),
    }),
  }),
};
