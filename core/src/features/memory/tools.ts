import { z } from 'zod';
import type { Methods } from '../../kernel/contract/route.ts';
import { type AnyTool, defineTool, REMOVES, SETS } from '../../kernel/tools/tool.ts';
import { memoryRoutes } from './contract.ts';

const remember = defineTool({
  name: 'svc_remember',
  title: 'Store a memory',
  description:
    'Stores one memory. Call it as soon as you learn something that should outlive this conversation: a decision and its reason, a preference, a fact, an event, a mistake not to repeat. One self-contained statement each, with names and dates in place of "he" or "yesterday". Types: semantic (facts), episodic (what happened), working (current state), core (who you are; needs category). A key makes it an upsert: the same key again replaces what you give and keeps the rest. The same fact said again makes no second memory; one that replaces another supersedes it, and the answer names it, and under conflicts those where you should state supersedes. What you store as soul or identity is marked until your human confirms it; a change to it is queued with the Guardian, and the answer says so. Never store secrets such as passwords or API keys.',
  annotations: SETS,
  input: memoryRoutes.remember.request,
  output: memoryRoutes.remember.response,
  run: (memory: Methods<typeof memoryRoutes>, input, options) => memory.remember(input, options),
});

const forget = defineTool({
  name: 'svc_forget',
  title: 'Archive or restore a memory',
  description:
    'Archives the memory with this id: it no longer appears in recall and boot, and can be brought back with restore: true for 30 days. Call it for what is wrong, obsolete or stored twice; to correct a memory with a key, store it again with svc_remember instead. Memories of soul and identity cannot be archived.',
  annotations: REMOVES,
  input: z.strictObject({
    id: z.uuid().describe('Id of the memory, from svc_recall or svc_recall_exact'),
    restore: z.boolean().default(false).describe('Bring the archived memory back'),
    user_id: memoryRoutes.forget.request.shape.user_id,
    space_id: memoryRoutes.forget.request.shape.space_id,
  }),
  output: z.object({
    outcome: z.enum(['archived', 'queued', 'restored']),
    memory: memoryRoutes.forget.response.shape.memory,
    entry: memoryRoutes.forget.response.shape.entry,
  }),
  run: async (memory: Methods<typeof memoryRoutes>, { restore, ...named }, options) => {
    if (restore) {
      const { memory: restored, outcome = 'restored' as const, entry } = await memory.restore(named, options);
      return { outcome, memory: { id: restored.id }, ...(entry ? { entry } : {}) };
    }
    const { outcome = 'archived' as const, ...answer } = await memory.forget(named, options);
    return { outcome, ...answer };
  },
});

export const memoryTools: readonly AnyTool[] = [remember, forget];
