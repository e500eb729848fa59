import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { someOf } from '../../kernel/contract/settings.ts';

const TITLE_CHARACTERS = 200;
const NOTE_CHARACTERS = 2_000;

/** What an entry of the schedule or of the work in progress is called: one line. */
const title = field.nonBlankText(TITLE_CHARACTERS);
/** Anything more about it; of a piece of work, where it stands. */
const note = field.text(NOTE_CHARACTERS);

const named = {
  id: z.uuid(),
  /** The user of the agent that it concerns. */
  user_id: z.string().optional(),
  title: z.string(),
  note: z.string().nullable(),
};
const written = {
  created_at: field.instant,
  updated_at: field.instant,
  source: field.provenance,
};
const words = { title: title.optional(), note: note.nullable().optional() };
const byId = z.strictObject({ id: field.id });

const scheduleStatus = z.enum(['scheduled', 'done', 'cancelled']);

/** Something at a date: a deadline, an appointment, a day to remember. */
const scheduleItem = z.object({
  ...named,
  due_at: field.instant,
  /** Whether it is due on that day in UTC, at no time of it. */
  whole_day: z.boolean(),
  status: scheduleStatus,
  ...written,
});
export type ScheduleItem = z.output<typeof scheduleItem>;

const scheduleChanges = z.strictObject({
  ...words,
  due_at: field.dayOrMoment.optional(),
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
      due_at: field.dayOrMoment,
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
    request: scheduleChanges
      .extend({ user_id: field.userId.optional(), id: field.id })
      .refine(...someOf(scheduleChanges)),
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

const wipStatus = z.enum(['open', 'done']);

/** A piece of work in progress. */
const wipItem = z.object({ ...named, status: wipStatus, ...written });
export type WipItem = z.output<typeof wipItem>;

const wipChanges = z.strictObject({ ...words, status: wipStatus.optional() });

export const wipRoutes = {
  /** Work by the time of its last change, newest first. */
  wipItems: route({
    method: 'GET',
    path: '/wip',
    access: 'read',
    metering: 'free',
    users: 'both',
    summary: 'List works in progress',
    request: z.strictObject({
      user_id: field.userOrAll.optional(),
      status: wipStatus.optional(),
      limit: field.limit.default(50),
      cursor: field.cursor.optional(),
    }),
    response: z.object({ items: z.array(wipItem), next_cursor: z.string().nullable() }),
  }),
  /** Adds a piece of work; it appears in boot until it is done. */
  createWipItem: route({
    method: 'POST',
    path: '/wip',
    access: 'write',
    metering: 'limited',
    users: 'own',
    summary: 'Add a work in progress',
    request: z.strictObject({ user_id: field.userId.optional(), title, note: note.optional() }),
    response: z.object({ outcome: z.literal('created'), item: wipItem, redacted: field.redacted }),
  }),
  /** One piece of work. */
  wipItem: route({
    method: 'GET',
    path: '/wip/{id}',
    access: 'read',
    metering: 'free',
    users: 'first',
    summary: 'Read one work in progress',
    request: byId.extend({ user_id: field.userId.optional() }),
    response: z.object({ item: wipItem }),
  }),
  /** Changes the named fields and keeps the others. */
  updateWipItem: route({
    method: 'PATCH',
    path: '/wip/{id}',
    access: 'write',
    metering: 'limited',
    users: 'own',
    summary: 'Change or finish a work in progress',
    request: wipChanges
      .extend({ user_id: field.userId.optional(), id: field.id })
      .refine(...someOf(wipChanges)),
    response: z.object({ item: wipItem, redacted: field.redacted }),
  }),
  /** Removes a piece of work for good. */
  deleteWipItem: route({
    method: 'DELETE',
    path: '/wip/{id}',
    access: 'write',
    metering: 'counted',
    users: 'own',
    summary: 'Remove a work in progress',
    request: byId.extend({ user_id: field.userId.optional() }),
    response: z.object({ item: wipItem }),
  }),
};
