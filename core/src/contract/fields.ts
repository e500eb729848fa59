import { z } from 'zod';

export const MEMORY_TYPES = ['core', 'working', 'episodic', 'semantic'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

export const CATEGORIES = [
  'soul',
  'identity',
  'relationship',
  'operations',
  'tools',
  'routine',
  'reorient',
  'accounts',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** Who wrote something: the agent, its human, or one of the ways memories come in. */
export const SOURCES = ['agent', 'human', 'sync', 'import', 'webhook', 'reflection'] as const;
export type Source = (typeof SOURCES)[number];

export const LIMITS = {
  contentCharacters: 32_768,
  tags: 32,
  tagCharacters: 64,
  keyCharacters: 256,
  sessionIdCharacters: 256,
  queryCharacters: 4_096,
  resultsPerCall: 100,
  batch: 500,
  documentCharacters: 524_288,
} as const;

// A lone surrogate cannot be written as UTF-8 and NUL cannot be stored by Postgres.
const storable = (value: string) => !value.includes('\u0000') && value.isWellFormed();

/** Text that can be stored byte for byte. `max` counts UTF-16 code units, as JavaScript's `length` does. */
export function text(max: number, min = 1) {
  return z
    .string()
    .min(min, min === 1 ? 'must not be empty' : `must be at least ${min} characters`)
    .max(max, `must be at most ${max} characters`)
    .refine(storable, 'must not contain NUL characters or unpaired surrogates');
}

/** Identifiers people type: like `text`, without control characters or outer white space. */
function label(max: number) {
  return text(max)
    .trim()
    .min(1, 'must not be blank')
    .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters');
}

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;
const DAY_MS = 86_400_000;

/** Reads an ISO 8601 date or date-time (no offset means UTC); undefined where it names no moment in years 0001-9999. */
function parseIso(value: string): Date | undefined {
  const match = ISO.exec(value);
  if (!match) return undefined;
  const [
    ,
    year = '',
    month = '',
    day = '',
    hour = '00',
    minute = '00',
    second = '00',
    fraction = '',
    offset,
  ] = match;
  const zone = !offset || /^z$/i.test(offset) ? 'Z' : offset.length === 3 ? `${offset}:00` : offset;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}`;
  const local = new Date(`${iso}Z`);
  // Date rolls 30 February over to March: a date that does not come back as written does not exist.
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 23) !== iso) return undefined;
  const moment = new Date(`${iso}${zone}`);
  if (Number.isNaN(moment.getTime())) return undefined;
  const wholeYear = moment.getUTCFullYear();
  return wholeYear >= 1 && wholeYear <= 9999 ? moment : undefined;
}

function time(endOfDay: boolean) {
  return z.string().transform((value, context) => {
    const moment = parseIso(value.trim());
    if (!moment) {
      context.addIssue({
        code: 'custom',
        message: 'must be an ISO 8601 date or timestamp such as 2026-02-01T09:30:00Z',
      });
      return z.NEVER;
    }
    const wholeDay = endOfDay && /^\d{4}-\d{2}-\d{2}$/.test(value.trim());
    return wholeDay ? new Date(moment.getTime() + DAY_MS - 1) : moment;
  });
}

/** A moment; a bare date means its start in UTC. */
export const timestamp = time(false).meta({ type: 'string', format: 'date-time' });
/** The inclusive end of a period; a bare date means the whole of that day in UTC. */
export const endTimestamp = time(true).meta({ type: 'string', format: 'date-time' });

export const memoryType = z.enum(MEMORY_TYPES);
export const category = z.enum(CATEGORIES);
export const source = z.enum(SOURCES);
export const id = z
  .uuid()
  .transform((value) => value.toLowerCase())
  .meta({ type: 'string', format: 'uuid' });
export const content = text(LIMITS.contentCharacters);
export const key = label(LIMITS.keyCharacters);
export const sessionId = label(LIMITS.sessionIdCharacters);
export const importance = z.number().min(0).max(1);
export const tags = z
  .array(label(LIMITS.tagCharacters))
  .max(LIMITS.tags, `must be at most ${LIMITS.tags} tags`)
  .transform((values) => [...new Set(values)]);
export const limit = z.number().int().min(1).max(LIMITS.resultsPerCall);
export const cursor = text(1_024);

/** A moment in an answer: ISO 8601, UTC, milliseconds. */
export const instant = z.iso.datetime();
export const counts = z.object({
  core: z.int(),
  working: z.int(),
  episodic: z.int(),
  semantic: z.int(),
});
