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
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?))?$/;
const DAY_MS = 86_400_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Reads an ISO 8601 date or zoned timestamp; undefined where it names no moment of the years 0001-9999. */
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
    offset = 'Z',
  ] = match;
  const zone = offset.length === 3 ? `${offset}:00` : offset.toUpperCase();
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}`;
  const local = new Date(`${iso}Z`);
  // Date rolls 30 February over to March: a date that does not come back as written does not exist.
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 23) !== iso) return undefined;
  const moment = new Date(`${iso}${zone}`);
  const year_ = moment.getUTCFullYear();
  return year_ >= 1 && year_ <= 9999 ? moment : undefined;
}

function moment(read: (value: string) => Date | undefined, message: string) {
  return z
    .string()
    .transform((value, context) => {
      const found = read(value.trim());
      if (found) return found;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .meta({ type: 'string', format: 'date-time' });
}

const isBareDate = (value: string) => /^\d{4}-\d{2}-\d{2}$/.test(value);

/** When something happened: date, time and zone. */
export const timestamp = moment(
  (value) => (isBareDate(value) ? undefined : parseIso(value)),
  'must be an ISO 8601 timestamp with a zone, such as 2026-02-01T09:30:00Z',
);
const PERIOD_MESSAGE = 'must be a date such as 2026-02-01, or an ISO 8601 timestamp with a zone';
/** The start of a period; a bare date means its first moment in UTC. */
export const since = moment(parseIso, PERIOD_MESSAGE);
/** The inclusive end of a period; a bare date means its last moment in UTC. */
export const until = moment((value) => {
  const start = parseIso(value);
  return start && isBareDate(value) ? new Date(start.getTime() + DAY_MS - 1) : start;
}, PERIOD_MESSAGE);

export const memoryType = z.enum(MEMORY_TYPES);
export const category = z.enum(CATEGORIES);
export const source = z.enum(SOURCES);
/**
 * The id in a path. One that is no UUID names nothing, exactly as an unknown one does: it becomes the nil UUID, which
 * nothing has, and so gets the same answer.
 */
export const id = z
  .string()
  .transform((value) => (UUID.test(value) ? value.toLowerCase() : NIL_UUID))
  .meta({ type: 'string', format: 'uuid' });
/** A memory's text, kept byte for byte; only a byte order mark before it goes, which no one wrote on purpose. */
export const content = text(LIMITS.contentCharacters)
  .refine((value) => value.trim() !== '', 'must not be blank')
  .transform((value) => value.replace(/^\uFEFF+/, ''));
export const key = label(LIMITS.keyCharacters);
export const sessionId = label(LIMITS.sessionIdCharacters);
export const importance = z.number().min(0).max(1);
export const tag = label(LIMITS.tagCharacters);
export const tags = z
  .array(tag)
  .max(LIMITS.tags, `must be at most ${LIMITS.tags} tags`)
  .transform((values) => [...new Set(values)]);
export const limit = z.number().int().min(1).max(LIMITS.resultsPerCall);
export const cursor = text(1_024);

/** The most UTF-16 code units an injection may take, for hosts that cut longer texts; the token budget holds as well. */
export const maxCharacters = z.int().min(2_000).max(1_000_000);

/** A moment in an answer: ISO 8601, UTC, milliseconds. */
export const instant = z.iso.datetime();
export const counts = z.object({
  core: z.int(),
  working: z.int(),
  episodic: z.int(),
  semantic: z.int(),
});

/** Who did something, and with which credential. */
export const provenance = z.object({
  kind: source,
  /** Id of the API key or user; null for an in-process caller and for work the service does by itself. */
  credential_id: z.uuid().nullable(),
});
