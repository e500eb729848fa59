import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';

const TITLE_CHARACTERS = 200;
const NOTE_CHARACTERS = 2_000;

/** What an entry of the schedule or of the work in progress is called: one line. */
export const title = field.text(TITLE_CHARACTERS).refine((value) => value.trim() !== '', 'must not be blank');
/** Anything more about it. */
export const note = field.text(NOTE_CHARACTERS);

const scheduleStatus = z.enum(['scheduled', 'done', 'cancelled']);

/** Something at a date: a deadline, an appointment, a day to remember. */
const scheduleItem = z.object({
  id: z.uuid(),
  /** The user of the agent that it concerns. */
  user_id: z.string().optional(),
  title: z.string(),
  note: z.string().nullable(),
  due_at: field.instant,
  status: scheduleStatus,
  created_at: field.instant,
  updated_at: field.instant,
  source: field.provenance,
});
export type ScheduleItem = z.output<typeof scheduleItem>;

const dueAt = field.since;
const byId = z.strictObject({ id: field.id });
const changes = z.strictObject({
  title: title.optional(),
  note: note.nullable().optional(),
  due_at: dueAt.optional(),
  status: scheduleStatus.optional(),
});

export const scheduleRoutes = {
  /** Entries by due date, the soonest first. */
  scheduleItems: route({
    method: 'GET',
    path: '/schedule',
    access: 'read',
    metering: 'free',
    users: 'both',
    summary: 'List the schedule',
    request: z
      .strictObject({
        user_id: field.userOrAll.optional(),
        status: scheduleStatus.optional(),
        since: field.since.optional(),
        until: field.until.optional(),
        limit: field.limit.default(50),
        cursor: field.cursor.optional(),
      })
      .refine(field.isPeriod, field.NO_PERIOD),
    response: z.object({ items: z.array(scheduleItem), next_cursor: z.string().nullable() }),
  }),
  /** Adds an entry; it appears in boot before it is due. */
  createScheduleItem: route({
    method: 'POST',
    path: '/schedule',
    access: 'write',
    metering: 'limited',
    users: 'own',
    summary: 'Schedule something',
    request: z.strictObject({
      user_id: field.userId.optional(),
      title,
      due_at: dueAt,
      note: note.optional(),
    }),
    response: z.object({ outcome: z.literal('created'), item: scheduleItem, redacted: field.redacted }),
  }),
  /** One entry. */
  scheduleItem: route({
    method: 'GET',
    path: '/schedule/{id}',
    access: 'read',
    metering: 'free',
    users: 'first',
    summary: 'Read one entry of the schedule',
    request: byId.extend({ user_id: field.userId.optional() }),
    response: z.object({ item: scheduleItem }),
  }),
  /** Changes the named fields and keeps the others. */
  updateScheduleItem: route({
    method: 'PATCH',
    path: '/schedule/{id}',
    access: 'write',
    metering: 'limited',
    users: 'own',
    summary: 'Change, finish or cancel an entry of the schedule',
    request: changes
      .extend({ user_id: field.userId.optional(), id: field.id })
      .refine(({ id: _, user_id: __, ...rest }) => Object.values(rest).some((value) => value !== undefined), {
        path: [],
        message: `name at least one field to change: ${Object.keys(changes.shape).join(', ')}`,
      }),
    response: z.object({ item: scheduleItem, redacted: field.redacted }),
  }),
  /** Removes an entry for good. */
  deleteScheduleItem: route({
    method: 'DELETE',
    path: '/schedule/{id}',
    access: 'write',
    metering: 'counted',
    users: 'own',
    summary: 'Remove an entry of the schedule',
    request: byId.extend({ user_id: field.userId.optional() }),
    response: z.object({ item: scheduleItem }),
  }),
};
