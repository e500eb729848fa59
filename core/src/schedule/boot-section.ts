import { and, asc, count, desc, eq, lte } from 'drizzle-orm';
import { cutText } from '../boot/cut.ts';
import type { Entry } from '../boot/section.ts';
import type { Source } from '../contract/fields.ts';
import type { Tx } from '../database/database.ts';
import type { Plugin } from '../engine/plugins.ts';
import { wipItems } from '../wip/schema.ts';
import { type ScheduleRow, scheduleItems } from './schema.ts';

const DAY_MS = 86_400_000;
const DAYS_AHEAD = 30;
const MOST_OF_EACH = 20;
const NOTE_CHARACTERS = 240;

/** Fills the section `upcoming`: what is overdue or due within 30 days, then open work. Design 5, schedule and wip. */
export const upcomingPlugin: Plugin = {
  name: 'upcoming',
  hooks: {
    'boot:sections': async (sections, { tenantId, now, tx }) => {
      if (!tx) return sections;
      const due = await loadDue(tx, tenantId, now);
      const open = await loadOpen(tx, tenantId);
      const entries = [...due.entries, ...open.entries];
      if (entries.length === 0) return sections;
      const omitted = due.total + open.total - entries.length;
      return sections.map((section) =>
        section.name === 'upcoming' ? { ...section, entries, ...(omitted > 0 ? { omitted } : {}) } : section,
      );
    },
  },
};

async function loadDue(tx: Tx, tenantId: string, now: Date) {
  const { dueAt, id } = scheduleItems;
  // Index schedule_items_due.
  const where = and(
    eq(scheduleItems.tenantId, tenantId),
    eq(scheduleItems.status, 'scheduled'),
    lte(dueAt, new Date(now.getTime() + DAYS_AHEAD * DAY_MS)),
  );
  const found = await tx
    .select()
    .from(scheduleItems)
    .where(where)
    .orderBy(asc(dueAt), asc(id))
    .limit(MOST_OF_EACH);
  const total =
    found.length < MOST_OF_EACH
      ? found.length
      : (await tx.select({ total: count() }).from(scheduleItems).where(where))[0]?.total;
  return { entries: found.map((row) => toEntry(row, row.dueAt, dueNote(row, now))), total: total ?? 0 };
}

async function loadOpen(tx: Tx, tenantId: string) {
  // Index wip_items_changed.
  const where = and(eq(wipItems.tenantId, tenantId), eq(wipItems.status, 'open'));
  const found = await tx
    .select()
    .from(wipItems)
    .where(where)
    .orderBy(desc(wipItems.updatedAt), desc(wipItems.id))
    .limit(MOST_OF_EACH);
  const total =
    found.length < MOST_OF_EACH
      ? found.length
      : (await tx.select({ total: count() }).from(wipItems).where(where))[0]?.total;
  return { entries: found.map((row) => toEntry(row, row.updatedAt, 'in progress')), total: total ?? 0 };
}

function dueNote({ dueAt }: ScheduleRow, now: Date): string {
  const time = dueAt.toISOString().slice(11, 16);
  const at = time === '00:00' ? '' : ` ${time}Z`;
  // A bare date is the whole day, which is not over at its first moment.
  const end = at === '' ? dueAt.getTime() + DAY_MS : dueAt.getTime();
  return end <= now.getTime() ? `overdue${at}` : `due${at}`;
}

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly note: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly source: Source;
  readonly credentialId: string | null;
}

/** An item in the form of a working memory, so that it is quoted, and withheld from a human, as one. */
function toEntry(item: Shown, at: Date, note: string): Entry {
  const more = item.note === null ? '' : `\n${cutText(item.note, NOTE_CHARACTERS)}`;
  return {
    memory: {
      id: item.id,
      type: 'working',
      content: item.title + more + (more.length > 0 && more.length - 1 < (item.note?.length ?? 0) ? '…' : ''),
      category: null,
      key: null,
      tags: [],
      importance: 0.5,
      occurred_at: at.toISOString(),
      created_at: item.createdAt.toISOString(),
      updated_at: item.updatedAt.toISOString(),
      version: 1,
      source: { kind: item.source, credential_id: item.credentialId },
    },
    note,
    // A cut would point to a memory that does not exist.
    whole: true,
  };
}
