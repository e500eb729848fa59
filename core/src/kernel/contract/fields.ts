import { z } from 'zod';
import { firstUnseen } from '../../text/unseen.ts';
import { DAY_MS } from '../runtime/durations.ts';

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

/** What a tenant pays for; `local` is that of an embedded service. */
export const PLANS = ['standard', 'trial', 'local'] as const;
/** What a tenant pays for; `local` is that of an embedded service. */
export type Plan = (typeof PLANS)[number];

/** What an API key may do: everything, or read only. */
export const KEY_SCOPES = ['full', 'read'] as const;
/** What an API key may do: `full` everything, `read` read only. */
export type KeyScope = (typeof KEY_SCOPES)[number];

export const LIMITS = {
  contentCharacters: 32_768,
  tags: 32,
  tagCharacters: 64,
  keyCharacters: 256,
  displayNameCharacters: 100,
  sessionIdCharacters: 256,
  queryCharacters: 4_096,
  resultsPerCall: 100,
  batch: 500,
  documentCharacters: 524_288,
  metadataBytes: 4_096,
  metadataDepth: 5,
  supersedes: 20,
} as const;

/** How many characters a text has, as all limits count them: code points, of which an emoji is one and two UTF-16 code units. */
export function characterCount(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

// A lone surrogate cannot be written as UTF-8 and NUL cannot be stored by Postgres.
const NOT_STORABLE = 'must not contain NUL characters or unpaired surrogates';
const storable = (value: string) => !value.includes('\u0000') && value.isWellFormed();

/**
 * Text that can be stored byte for byte. `max` counts as `characterCount` does. Of one that is too short, or cannot be stored,
 * nothing else is told, such as that it is blank, too.
 */
export function text(max: number, min = 1) {
  const error = min === 1 ? 'must not be empty' : `must be at least ${min} characters`;
  return z
    .string()
    .min(min, { error, abort: true })
    .max(max, `must be at most ${max} characters`)
    .refine(storable, { error: NOT_STORABLE, abort: true });
}

/** Like `text`, with more in it than white space. */
export function nonBlankText(max: number) {
  return text(max).refine((value) => value.trim() !== '', 'must not be blank');
}

/**
 * Written so that every engine reads it alike: JSON Schemas take it over, and `\p{Cc}` is an error to Python, and without the flag
 * `u` a list of letters to JavaScript.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
const WITHOUT_CONTROL_CHARACTERS = /^[^\x00-\x1f\x7f-\x9f]*$/;

/**
 * Identifiers people type: like `text`, on one line, without outer white space. Two that look the same are the same:
 * characters are composed (NFC), spaces of all kinds are plain ones, and unseen characters are refused.
 */
export function label(max: number) {
  return text(max)
    .regex(WITHOUT_CONTROL_CHARACTERS, { error: 'must not contain control characters', abort: true })
    .superRefine((value, context) => {
      const code = firstUnseen(value);
      const message = `must not contain characters that cannot be seen (here ${code})`;
      if (code !== undefined) context.addIssue({ code: 'custom', message });
    })
    .overwrite((value) =>
      value
        .normalize('NFC')
        .replace(/\p{Zs}/gu, ' ')
        .trim(),
    )
    .min(1, 'must not be blank')
    .max(max, `must be at most ${max} characters`);
}

/** Stands for all users, and the agent itself. */
export const ALL_USERS = '*';
const USER_ID_CHARACTERS = 128;

/** The field `user_id` of requests. It stands in the path of an address, from which clients take `.` and `..` (RFC 3986, 5.2.4). */
export const userId = label(USER_ID_CHARACTERS)
  .refine((id) => id !== '.' && id !== '..', 'must not be . or .., which addresses cannot hold')
  .refine((id) => id !== ALL_USERS, 'must name one user')
  .meta({ description: 'The user of the agent that this concerns. Default: the agent itself.' });

/** The same where it may also be `*`: what is the agent's own and what is any user's, for a full key of the agent. */
export const userOrAll = label(USER_ID_CHARACTERS).meta({
  description:
    'The user that this concerns; `*`: the agent and all its users (full key). Default: the agent.',
});

/** What is looked for in ids of users. */
export const userIdPart = label(USER_ID_CHARACTERS);

/** What an agent may do in a space that it shares with others, the least first; each includes those before it. */
export const SPACE_RIGHTS = ['read', 'write', 'manage'] as const;
export type SpaceRight = (typeof SPACE_RIGHTS)[number];
/** Stands for what is the agent's own, in no space. */
export const OWN_SPACE = 'own';

/** The field `space_id` of requests. */
export const spaceId = z
  .string()
  .transform((value, context) => {
    const lower = value.toLowerCase();
    if (lower === OWN_SPACE || UUID.test(lower)) return lower;
    context.addIssue({ code: 'custom', message: 'must be the id of a space, or own' });
    return z.NEVER;
  })
  .meta({
    type: 'string',
    description: 'A space, or own. Default: a write goes to your own; a read covers it and your spaces.',
  });

/** The same where a call without it reads no spaces. */
export const oneSpaceId = spaceId.meta({
  type: 'string',
  description: 'A space that the agent may read. Default: its own.',
});

/** The fields of a request that may be about a user, or about a space. */
export const ofUserOrSpace = { user_id: userId.optional(), space_id: spaceId.optional() };

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** The first and the last moment that the contract can name. Postgres reads none after it in the form that `Date` writes. */
export const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads an ISO 8601 date or timestamp, in UTC where no zone is given; undefined where it names no moment of the years
 * 0001-9999.
 */
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

const TIMESTAMP_MESSAGE =
  'must be an ISO 8601 timestamp such as 2026-02-01T09:30:00Z, or a date such as 2026-02-01 (UTC without a zone)';
const PERIOD_MESSAGE = 'must be a date such as 2026-02-01, or an ISO 8601 timestamp (UTC without a zone)';

function moment<Read>(read: (value: string) => Read | undefined, message: string, meaning: string) {
  return z
    .string()
    .transform((value, context) => {
      const found = read(value.trim());
      if (found) return found;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .meta({ type: 'string', description: `ISO 8601, in UTC without a zone. ${meaning}` });
}

const isBareDate = (value: string) => /^\d{4}-\d{2}-\d{2}$/.test(value);

const FIRST_MOMENT = 'A date alone means its first moment.';
/** When something happens; a date alone means its first moment in UTC. */
export const timestamp = moment(parseIso, TIMESTAMP_MESSAGE, FIRST_MOMENT);
/** The start of a period; a date alone means its first moment in UTC. */
export const since = moment(parseIso, PERIOD_MESSAGE, FIRST_MOMENT);
/** The inclusive end of a period; a date alone means its last moment in UTC. */
export const until = moment(
  (value) => {
    const start = parseIso(value);
    return start && isBareDate(value) ? new Date(start.getTime() + DAY_MS - 1) : start;
  },
  PERIOD_MESSAGE,
  'A date alone means its last moment.',
);

/** What is due on a day, in UTC, or at a moment. */
export const dayOrMoment = moment(
  (value) => {
    const at = parseIso(value);
    return at && { at, wholeDay: isBareDate(value) };
  },
  PERIOD_MESSAGE,
  'A date alone means the whole day.',
);

export interface SinceUntil {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}
/** Whether a period ends at or after its beginning; for `refine` of what has `since` and `until`. */
export const isPeriod = ({ since, until }: SinceUntil): boolean =>
  since === undefined || until === undefined || since <= until;
export const NO_PERIOD = { path: ['since'], message: 'must not be after until' };

export const memoryType = z.enum(MEMORY_TYPES);
export const memoryTypes = z.array(memoryType).min(1).max(MEMORY_TYPES.length);
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
export const content = nonBlankText(LIMITS.contentCharacters).transform((value) =>
  value.replace(/^\uFEFF+/, ''),
);
export const key = label(LIMITS.keyCharacters);
/** What an agent or a human is called. */
export const displayName = label(LIMITS.displayNameCharacters);
export const sessionId = label(LIMITS.sessionIdCharacters);
export const importance = z.number().min(0).max(1);
export const tag = label(LIMITS.tagCharacters);
export const tags = z
  .array(tag)
  .max(LIMITS.tags, `must be at most ${LIMITS.tags} tags`)
  .transform((values) => [...new Set(values)]);
export const limit = z.number().int().min(1).max(LIMITS.resultsPerCall);
export const cursor = text(1_024);

export type Metadata = Readonly<Record<string, unknown>>;

/** Names that would change what an object is where somebody copies it field by field. */
const FORBIDDEN_NAMES: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** What is wrong with a value of metadata, if anything. */
function metadataProblem(value: unknown, depth = 1): string | undefined {
  if (typeof value === 'string') return storable(value) ? undefined : NOT_STORABLE;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > LIMITS.metadataDepth) return `must nest at most ${LIMITS.metadataDepth} levels deep`;
  for (const [name, inner] of Object.entries(value)) {
    if (FORBIDDEN_NAMES.includes(name)) return `must not have a field named ${name}`;
    const problem = storable(name) ? metadataProblem(inner, depth + 1) : NOT_STORABLE;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** What callers may write as metadata; anything may come. */
const anyMetadata = z.unknown() as z.ZodType<Metadata, Metadata>;
/** The author's own fields: a JSON object, as JSON keeps it, which has no -0. */
export const metadata = anyMetadata
  .superRefine((value: unknown, context) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const message = isObject ? (metadataProblem(value) ?? sizeProblem(value)) : 'must be a JSON object';
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .transform((value) => JSON.parse(JSON.stringify(value)) as Metadata)
  .meta({ type: 'object', additionalProperties: true });

function sizeProblem(value: object): string | undefined {
  const fits = new TextEncoder().encode(JSON.stringify(value)).length <= LIMITS.metadataBytes;
  return fits ? undefined : `must be at most ${LIMITS.metadataBytes} bytes as JSON`;
}

/** Memories whose place another takes. */
export const supersedes = z
  .array(z.uuid())
  .min(1)
  .max(LIMITS.supersedes)
  .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))])
  .meta({ description: 'Ids of memories that this one replaces, from its valid_from on.' });

/** What of the past a reading asks for, and by which of the author's own fields. */
export const validity = {
  metadata: metadata.optional().meta({ description: 'Only memories with these values in their metadata.' }),
  as_of: timestamp.optional().meta({
    description:
      'Only what held at this moment: nothing that began later, or had ended. Default: now, and what has ended too.',
  }),
  known_at: timestamp.optional().meta({
    description:
      'What the store knew at this moment: contents of then, also of memories changed or archived since. Default: now.',
  }),
  include_superseded: z
    .boolean()
    .default(false)
    .meta({ description: 'Also what a newer memory supersedes, behind it.' }),
};

/** The most that an injection may take, for hosts that cut longer texts; the token budget holds as well. */
export const injectionLimits = {
  /** In UTF-16 code units. */
  max_characters: z.int().min(2_000).max(1_000_000).optional(),
  /** In bytes of UTF-8. */
  max_bytes: z.int().min(2_000).max(4_000_000).optional(),
};

/** A moment in an answer: ISO 8601, UTC, milliseconds. */
export const instant = z.iso.datetime();
export const counts = z.object({
  core: z.int(),
  working: z.int(),
  episodic: z.int(),
  semantic: z.int(),
});

/**
 * What an answer says where secrets were taken out of the call: where, what they were and how many. Each was replaced by
 * a mark such as `[redacted: github-token]`.
 */
export const redacted = z.array(z.object({ path: z.string(), kind: z.string(), count: z.int() })).optional();

/** Who did something, and with which credential. */
export const provenance = z.object({
  kind: source,
  /** Id of the API key or user; null for an in-process caller and for work the service does by itself. */
  credential_id: z.uuid().nullable(),
  /** Of what was written to a space, the agent that wrote it. */
  agent_id: z.uuid().optional(),
});
