import { z } from 'zod';
import type { Methods } from '../../kernel/contract/route.ts';
import { checkAction, defineTool, SETS } from '../../kernel/tools/tool.ts';
import { scheduleRoutes, wipRoutes } from './contract.ts';

const entry = scheduleRoutes.createScheduleItem.request.shape;
const work = wipRoutes.createWipItem.request.shape;

/** What a tool of several actions answers: one item, or a list of them. */
function answerWith<Item extends z.ZodType, Redacted extends z.ZodType>({
  item,
  redacted,
}: {
  readonly item: Item;
  readonly redacted: Redacted;
}) {
  return z.object({ item: item.optional(), items: z.array(item).optional(), redacted });
}

const schedule = defineTool({
  name: 'svc_schedule',
  title: 'Schedule something or remember a date',
  description:
    'Keeps dates: deadlines, appointments, days to remember. What is overdue or due within 30 days appears in every boot. Call add as soon as a date comes up that matters later, list to see all open dates, done or cancel to close one. It reminds you at boot; it wakes nobody up.',
  annotations: { ...SETS, idempotentHint: false },
  input: z
    .strictObject({
      action: z.enum(['add', 'list', 'cancel', 'done']),
      title: entry.title.optional(),
      due_at: entry.due_at
        .optional()
        .describe('A date such as 2026-02-01, or an ISO 8601 time; UTC without a zone'),
      id: z.uuid().optional().describe('Id of the entry, from list or add'),
      note: entry.note,
      user_id: entry.user_id,
    })
    .superRefine(
      checkAction({
        add: { needs: ['title', 'due_at'], takes: ['note', 'user_id'] },
        list: { needs: [], takes: ['user_id'] },
        cancel: { needs: ['id'], takes: ['note', 'user_id'] },
        done: { needs: ['id'], takes: ['note', 'user_id'] },
      }),
    ),
  output: answerWith(scheduleRoutes.createScheduleItem.response.shape),
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

const wip = defineTool({
  name: 'svc_wip',
  title: 'Track works in progress',
  description:
    'Keeps a list of the work you have begun; open work appears in every boot, so that you pick it up again after a compaction. Call add when you start something that takes more than this turn, update with a note on where it stands (before you stop, at the latest), done when it is finished, list to see what is open.',
  annotations: { ...SETS, idempotentHint: false },
  input: z
    .strictObject({
      action: z.enum(['add', 'update', 'done', 'list']),
      title: work.title.optional(),
      id: z.uuid().optional().describe('Id of the work, from list or add'),
      note: work.note.describe('Where it stands, and what comes next'),
      user_id: work.user_id,
    })
    .superRefine(
      checkAction({
        add: { needs: ['title'], takes: ['note', 'user_id'] },
        update: { needs: ['id'], takes: ['title', 'note', 'user_id'] },
        done: { needs: ['id'], takes: ['note', 'user_id'] },
        list: { needs: [], takes: ['user_id'] },
      }),
    ),
  output: answerWith(wipRoutes.createWipItem.response.shape),
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

export const agendaTools = [schedule, wip];
