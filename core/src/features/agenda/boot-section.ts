import { and, asc, count, desc, eq, gt, lte, not, or, type SQL } from 'drizzle-orm';
import { EARLIEST, LATEST, type Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import { cutText } from '../../text/truncate.ts';
import type { BootSection, Entry, Section } from '../boot/section.ts';
import { redactMemory } from '../visibility/show.ts';
import { itemLevel } from './item.ts';
import { type ScheduleRow, scheduleItems, wipItems } from './schema.ts';

const DAYS_AHEAD = 30;
const MOST_OF_EACH = 40;
const NOTE_CHARACTERS = 240;
const SHORT_TITLE = 60;
// What is due sooner comes before open work, and what is due within a day counts as an important memory does.
const SOON_DAYS = 7;
const AT_ONCE_DAYS = 1;
const AT_ONCE_SCORE = 0.85;
/** Stands there without entries too, so that plugins can fill it. */
const EMPTY: Section = { name: 'upcoming', title: 'Upcoming', entries: [] };

/** What is overdue or due soon, then open work, then what is due within 30 days. */
export const upcomingSection: BootSection = {
  after: 'working',
  load: async ({ tx, tenantId, agentId, actor, now }) => {
    const level = await itemLevel(tx, { tenantId, agentId, actor, now });
    if (level === 'hidden') return EMPTY;
    const overdue = await loadOverdue(tx, tenantId, now);
    const coming = await loadComing(tx, tenantId, now);
    const open = await loadOpen(tx, tenantId);
    const all = [...overdue.entries, ...coming.soon, ...open.entries, ...coming.later];
    const entries = level === 'full' ? all : all.map(redactEntry);
    const omitted = overdue.total + coming.total + open.total - entries.length;
    return { ...EMPTY, entries, ...(omitted > 0 ? { omitted } : {}) };
  },
};

/** What is due and not done, the longest due first; of much, what became due last, which stays the longest, too. */
async function loadOverdue(tx: Tx, tenantId: string, now: Date) {
  const { dueAt, wholeDay } = scheduleItems;
  const endsBy = or(not(wholeDay), lte(dueAt, dayBefore(now)));
  const { rows, total } = await loadItems(tx, tenantId, and(lte(dueAt, now), endsBy), desc);
  const entries = rows.map((row, rank): Entry => ({ ...toDueEntry(row, now), rank: rank - rows.length }));
  return { entries: entries.reverse(), total };
}

async function loadComing(tx: Tx, tenantId: string, now: Date) {
  const { dueAt, wholeDay } = scheduleItems;
  const time = now.getTime();
  const endsAfter = or(wholeDay, gt(dueAt, now));
  const until = new Date(Math.min(time + DAYS_AHEAD * DAY_MS, LATEST));
  const which = and(gt(dueAt, dayBefore(now)), lte(dueAt, until), endsAfter);
  const { rows, total } = await loadItems(tx, tenantId, which, asc);
  const isSoon = ({ dueAt: at }: ScheduleRow) => at.getTime() < time + SOON_DAYS * DAY_MS;
  const show = (row: ScheduleRow) => toDueEntry(row, now);
  return {
    soon: rows.filter(isSoon).map(show),
    later: rows.filter((row) => !isSoon(row)).map(show),
    total,
  };
}

/** What was due on a day from then on is due yet. */
function dayBefore(now: Date): Date {
  return new Date(Math.max(now.getTime() - DAY_MS, EARLIEST));
}

/** The first scheduled items by their due dates, and how many there are. Index schedule_items_due. */
async function loadItems(tx: Tx, tenantId: string, which: SQL | undefined, order: typeof asc) {
  const { dueAt, id, status } = scheduleItems;
  const where = and(eq(scheduleItems.tenantId, tenantId), eq(status, 'scheduled'), which);
  const rows = await tx
    .select()
    .from(scheduleItems)
    .where(where)
    .orderBy(order(dueAt), order(id))
    .limit(MOST_OF_EACH);
  if (rows.length < MOST_OF_EACH) return { rows, total: rows.length };
  const [counted] = await tx.select({ total: count() }).from(scheduleItems).where(where);
  return { rows, total: counted?.total ?? rows.length };
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

function toDueEntry(row: ScheduleRow, now: Date): Entry {
  const at = row.wholeDay ? '' : ` ${row.dueAt.toISOString().slice(11, 16)}Z`;
  const end = row.dueAt.getTime() + (row.wholeDay ? DAY_MS : 0);
  if (end <= now.getTime()) return { ...toEntry(row, row.dueAt, `overdue${at}`), pinned: true };
  const entry = toEntry(row, row.dueAt, `due${at}`);
  return end <= now.getTime() + AT_ONCE_DAYS * DAY_MS ? { ...entry, score: AT_ONCE_SCORE } : entry;
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

/** An item of which only its dates are shown. */
function redactEntry({ memory, shorter: _, ...rest }: Entry): Entry {
  return { ...rest, ...(memory ? { memory: redactMemory(memory) } : {}) };
}

/** An item in the form of a working memory, so that it is quoted as one. */
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
    shorter: [
      item.title,
      ...(item.title.length > SHORT_TITLE ? [`${cutText(item.title, SHORT_TITLE)}…`] : []),
    ],
    // A cut would point to a memory that does not exist.
    whole: true,
  };
}
