import { z } from 'zod';
import * as field from '../../../kernel/contract/fields.ts';
import { type ImportEntry, memoryEntry, problem, skipped, turnEntry } from '../draft.ts';
import { type JsonRecord, readJson, readJsonLines } from '../read/json.ts';
import type { Sample } from '../read/sample.ts';
import type { SourceFile } from '../read/source-file.ts';
import type { FieldMapping, Format } from './format.ts';
import { moment, optionalText, TIME_RULE, textList } from './values.ts';

const TEXT_FIELDS = ['content', 'text', 'memory', 'fact', 'note', 'body', 'value'] as const;
const TIME_FIELDS = ['occurred_at', 'created_at', 'createdAt', 'timestamp', 'date'];
const LISTS = ['memories', 'results', 'items', 'data', 'entries', 'records', 'messages', 'notes', 'facts'];

/** Fields by which others mark what they have deleted or put aside. */
const GONE_FLAGS = ['deleted', 'is_deleted', 'isDeleted', 'archived', 'is_archived', 'isArchived'];
const GONE_TIMES = ['deleted_at', 'deletedAt', 'archived_at', 'archivedAt'];
const GONE_STATES: readonly unknown[] = ['deleted', 'archived', 'paused'];

const text = { schema: z.string(), rule: 'must be a text' };
const time = { schema: moment.refine(Boolean), rule: TIME_RULE };

/** Fields that are taken over, as they have to be. */
const TAKEN: Record<string, { readonly schema: z.ZodType; readonly rule: string }> = {
  category: text,
  key: text,
  tags: { schema: z.array(z.string()), rule: 'must be a list of texts' },
  importance: { schema: field.importance, rule: 'must be a number from 0 to 1' },
  session_id: text,
  ...Object.fromEntries(TIME_FIELDS.map((name) => [name, time])),
  valid_from: time,
  valid_to: time,
  expires_at: time,
};

const record = z.record(z.string(), z.unknown());
const identifier = z.union([z.string(), z.number()]);

const fields: readonly FieldMapping[] = [
  { from: `the first of ${TEXT_FIELDS.join(', ')}`, to: 'content' },
  { from: 'type (one of ours), else semantic', to: 'type' },
  { from: 'role', to: 'episodic, "role: text"' },
  { from: 'category (one of ours), key, tags, importance, session_id', to: 'the same' },
  { from: 'categories, and a category that is none of ours', to: 'tags' },
  { from: TIME_FIELDS.join(', '), to: 'occurred_at' },
  { from: 'valid_from, valid_to, expires_at, metadata', to: 'the same' },
  { from: 'id, within a file of that name', to: 'origin' },
  { from: 'user_id, userId', to: 'whose it is, where there are several' },
  { from: 'what is deleted, archived or paused (deleted_at, state …), other fields', to: '(left out)' },
];

/**
 * JSON by nobody in particular: a list of texts or of objects with a text, at the top or under a usual name such as
 * `memories`; fields with the names of this service are taken over.
 */
export const genericJson: Format<'json'> = {
  name: 'json',
  title: 'JSON',
  fields,
  detects: (_file, sample) => sample.kind === 'json' && pathsOf(sample).length > 0,
  async *read(file, sample) {
    const paths = pathsOf(sample);
    for await (const found of readJson(file, paths.length > 0 ? paths : ['$.*'])) yield toEntry(found, file);
  },
};

/** The same, one record a line. */
export const genericJsonLines: Format<'jsonl'> = {
  name: 'jsonl',
  title: 'JSON Lines',
  fields,
  detects: (_file, { kind, paths }) => kind === 'jsonl' && TEXT_FIELDS.some((name) => paths.has(`$.${name}`)),
  async *read(file) {
    for await (const found of readJsonLines(file)) yield toEntry(found, file);
  },
};

/** Where the records are: in the list at the top, in one of a usual name, or the document itself. */
function pathsOf({ paths }: Sample): string[] {
  const holdsText = (place: string) => TEXT_FIELDS.some((name) => paths.has(`${place}.${name}`));
  const isPlainList = (place: string) =>
    paths.has(place) &&
    ![...paths].some((path) => path.startsWith(`${place}.`) || path.startsWith(`${place}[`));
  if (paths.has('$[]')) return holdsText('$[]') || isPlainList('$[]') ? ['$.*'] : [];
  const lists = LISTS.filter((name) => holdsText(`$.${name}[]`) || isPlainList(`$.${name}[]`));
  if (lists.length > 0) return lists.map((name) => `$.${name}.*`);
  return holdsText('$') ? ['$'] : [];
}

function toEntry({ value }: JsonRecord, { path: originWithin }: SourceFile): ImportEntry {
  if (typeof value === 'string') return memoryEntry({ type: 'semantic', content: value });
  const known = record.safeParse(value).data ?? {};
  if (isGone(known)) return skipped('deleted, archived or paused at the source');
  const content = TEXT_FIELDS.map((name) => known[name]).find((text) => typeof text === 'string');
  if (content === undefined) return problem(`has no text under ${TEXT_FIELDS.join(', ')}`);
  const at = TIME_FIELDS.map((name) => moment.safeParse(known[name]).data).find((time) => time !== undefined);
  const origin = identifier.safeParse(known.id).data?.toString();
  const userId = (
    identifier.safeParse(known.user_id).data ?? identifier.safeParse(known.userId).data
  )?.toString();
  const common = {
    origin,
    // The same id may stand in several files.
    originWithin,
    userId,
    content,
    key: optionalText.safeParse(known.key).data,
    tags: tagsOf(known),
    importance: field.importance.safeParse(known.importance).data,
    sessionId: optionalText.safeParse(known.session_id).data,
    validFrom: moment.safeParse(known.valid_from).data,
    validTo: moment.safeParse(known.valid_to).data,
    expiresAt: moment.safeParse(known.expires_at).data,
    metadata: known.metadata,
    unreadable: unreadable(known),
  };
  const { role } = known;
  if (typeof role === 'string') return turnEntry({ ...common, role, at });
  const type = field.memoryType.safeParse(known.type).data ?? 'semantic';
  const category = field.category.safeParse(known.category).data;
  if (type === 'core' && category === undefined) {
    return problem(`is a core memory without a category: one of ${field.CATEGORIES.join(', ')}`);
  }
  return memoryEntry({ ...common, type, category, occurredAt: at });
}

/** What cannot be taken over, and why. Many write an empty text, or null, where there is nothing. */
function unreadable(known: Record<string, unknown>): string[] {
  return Object.entries(TAKEN).flatMap(([name, { schema, rule }]) => {
    const value = known[name] ?? '';
    return value === '' || schema.safeParse(value).success ? [] : [`${name}: ${rule}`];
  });
}

/** Its tags, and a category that is none of this service's: others file by words of their own. */
function tagsOf({ tags, categories, category }: Record<string, unknown>): string[] | undefined {
  const own = tags === undefined ? undefined : textList.safeParse(tags).data;
  const isForeign = typeof category === 'string' && !field.category.safeParse(category).success;
  const more = [...(textList.safeParse(categories).data ?? []), ...(isForeign ? [category] : [])];
  return more.length > 0 ? [...(own ?? []), ...more] : own;
}

/** Whether its source has deleted it or put it aside: nobody expects it to come back by moving. */
function isGone(known: Record<string, unknown>): boolean {
  const isState = (value: unknown) =>
    typeof value === 'string' && GONE_STATES.includes(value.trim().toLowerCase());
  return (
    GONE_FLAGS.some((flag) => known[flag] === true) ||
    GONE_TIMES.some((time) => Boolean(known[time])) ||
    isState(known.state) ||
    isState(known.status)
  );
}
