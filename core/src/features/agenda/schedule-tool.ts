import { z } from 'zod';
import type { Methods } from '../../kernel/contract/route.ts';
import { checkAction } from '../../kernel/tools/check-action.ts';
import { defineTool, SETS } from '../../kernel/tools/tool.ts';
import { scheduleRoutes } from './schedule-contract.ts';

const { title, due_at, note, user_id: userId } = scheduleRoutes.createScheduleItem.request.shape;
const { item, redacted } = scheduleRoutes.createScheduleItem.response.shape;

export const schedule = defineTool({
  name: 'svc_schedule',
  title: 'Schedule something or remember a date',
  description:
    'Keeps dates: deadlines, appointments, days to remember. What is overdue or due within 30 days appears in every boot. Call add as soon as a date comes up that matters later, list to see all open dates, done or cancel to close one. It reminds you at boot; it wakes nobody up.',
  annotations: { ...SETS, idempotentHint: false },
  input: z
    .strictObject({
      action: z.enum(['add', 'list', 'cancel', 'done']),
      title: title.optional(),
      due_at: due_at
        .optional()
        .describe('A date such as 2026-02-01, or an ISO 8601 time; UTC without a zone'),
      id: z.uuid().optional().describe('Id of the entry, from list or add'),
      note,
      user_id: userId,
    })
    .superRefine(
      checkAction({
        add: { needs: ['title', 'due_at'], takes: ['note', 'user_id'] },
        list: { needs: [], takes: ['user_id'] },
        cancel: { needs: ['id'], takes: ['note', 'user_id'] },
        done: { needs: ['id'], takes: ['note', 'user_id'] },
      }),
    ),
  output: z.object({ item: item.optional(), items: z.array(item).optional(), redacted }),
  run: async (
    memory: Methods<typeof scheduleRoutes>,
    { action, id = '', title = '', due_at = '', ...changes },
    options,
  ) => {
    switch (action) {
      case 'add': {
        const { item } = await memory.createScheduleItem({ title, due_at, ...changes }, options);
        return { item };
      }
      case 'list': {
        const { items } = await memory.scheduleItems(
          { status: 'scheduled', limit: 100, ...changes },
          options,
        );
        return { items };
      }
      case 'cancel':
        return memory.updateScheduleItem({ id, status: 'cancelled', ...changes }, options);
      case 'done':
        return memory.updateScheduleItem({ id, status: 'done', ...changes }, options);
    }
  },
});
