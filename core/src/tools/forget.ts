import { z } from 'zod';
import { field, routes } from './parts.ts';
import { defineTool, REMOVES } from './tool.ts';

export const forget = defineTool({
  name: 'svc_forget',
  title: 'Archive or restore a memory',
  description:
    'Archives the memory with this id: it no longer appears in recall and boot, and can be brought back with restore: true for 30 days. Call it for what is wrong, obsolete or stored twice; to correct a memory with a key, store it again with svc_remember instead. Memories of soul and identity cannot be archived.',
  annotations: REMOVES,
  input: z.strictObject({
    id: field.knownId.describe('Id of the memory, from svc_recall or svc_recall_exact'),
    restore: z.boolean().default(false).describe('Bring the archived memory back'),
  }),
  output: z.object({
    outcome: z.enum(['archived', 'queued', 'restored']),
    memory: routes.forget.response.shape.memory,
    entry: routes.forget.response.shape.entry,
  }),
  run: async (memory, { id, restore }, options) => {
    if (restore) {
      const { memory: restored } = await memory.restore({ id }, options);
      return { outcome: 'restored' as const, memory: { id: restored.id } };
    }
    const { outcome = 'archived' as const, ...answer } = await memory.forget({ id }, options);
    return { outcome, ...answer };
  },
});
