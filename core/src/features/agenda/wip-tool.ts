import { z } from 'zod';
import type { Methods } from '../../kernel/contract/route.ts';
import { checkAction } from '../../kernel/tools/check-action.ts';
import { defineTool, SETS } from '../../kernel/tools/tool.ts';
import { wipRoutes } from './wip-contract.ts';

const { title, note, user_id: userId } = wipRoutes.createWipItem.request.shape;
const { item, redacted } = wipRoutes.createWipItem.response.shape;

export const wip = defineTool({
  name: 'svc_wip',
  title: 'Track works in progress',
  description:
    'Keeps a list of the work you have begun; open work appears in every boot, so that you pick it up again after a compaction. Call add when you start something that takes more than this turn, update with a note on where it stands (before you stop, at the latest), done when it is finished, list to see what is open.',
  annotations: { ...SETS, idempotentHint: false },
  input: z
    .strictObject({
      action: z.enum(['add', 'update', 'done', 'list']),
      title: title.optional(),
      id: z.uuid().optional().describe('Id of the work, from list or add'),
      note: note.describe('Where it stands, and what comes next'),
      user_id: userId,
    })
    .superRefine(
      checkAction({
        add: { needs: ['title'], takes: ['note', 'user_id'] },
        update: { needs: ['id'], takes: ['title', 'note', 'user_id'] },
        done: { needs: ['id'], takes: ['note', 'user_id'] },
        list: { needs: [], takes: ['user_id'] },
      }),
    ),
  output: z.object({ item: item.optional(), items: z.array(item).optional(), redacted }),
  run: async (memory: Methods<typeof wipRoutes>, { action, id = '', title = '', ...changes }, options) => {
    switch (action) {
      case 'add': {
        const { item } = await memory.createWipItem({ title, ...changes }, options);
        return { item };
      }
      case 'update':
        return memory.updateWipItem({ id, ...(title === '' ? {} : { title }), ...changes }, options);
      case 'done':
        return memory.updateWipItem({ id, status: 'done', ...changes }, options);
      case 'list': {
        const { items } = await memory.wipItems({ status: 'open', limit: 100, ...changes }, options);
        return { items };
      }
    }
  },
});
