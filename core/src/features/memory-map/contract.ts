import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { memory } from '../records/contract.ts';

/** Characters of a memory's content that a map shows. */
export const EXCERPT_CHARACTERS = 160;

/** A memory and its place: what is near is alike. */
const place = memory
  .pick({ id: true, type: true, content: true, category: true, key: true, tags: true, occurred_at: true })
  .extend({
    x: z.number().min(-1).max(1),
    y: z.number().min(-1).max(1),
    /** The space that it is in; left out where it is the agent's own. */
    space_id: z.uuid().optional(),
    /** Its place in `clusters`. */
    cluster: z.int(),
  });
export type Place = z.output<typeof place>;

/** Memories that lie together. */
const cluster = z.object({
  x: z.number(),
  y: z.number(),
  /** Up to three words by which they differ from the others; none where they have none in common. */
  terms: z.array(z.string()),
  memories: z.int(),
});

/** Offsets such as `+02:00` are none: SQL reads their sign the other way round. */
function isTimeZone(name: string): boolean {
  if (!/^[a-z][\w+-]*(\/[\w+-]+)*$/i.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

const day = z.object({ date: z.iso.date(), memories: z.int() });

export const memoryMapRoutes = {
  /** The memories on a plane, by what they say: the two directions in which their embeddings differ most. */
  memoryMap: route({
    method: 'GET',
    path: '/memories/map',
    access: 'read',
    metering: 'free',
    spaces: 'read',
    readsSpaces: true,
    summary: 'Show the memories on a map, similar ones near each other',
    request: z.strictObject({
      space_id: field.spaceId.optional(),
      /** The newest so many. */
      limit: z.int().min(1).max(20_000).default(10_000),
    }),
    response: z.object({
      /** Newest first. `content` is cut after 160 characters. */
      places: z.array(place),
      /** The largest first; 12 at most. */
      clusters: z.array(cluster),
      /** Memories without a place: their embedding is not made yet, or they are redacted, and a place would tell. */
      unplaced: z.int(),
    }),
  }),
  /** How many memories each day has, oldest day first; days without any are left out. */
  memoryCalendar: route({
    method: 'GET',
    path: '/memories/calendar',
    access: 'read',
    metering: 'free',
    spaces: 'read',
    readsSpaces: true,
    summary: 'Count the memories of each day',
    request: z
      .strictObject({
        space_id: field.spaceId.optional(),
        since: field.since,
        until: field.until,
        types: field.memoryTypes.optional(),
        /** Where the days are counted, by the name of the IANA database, such as `Europe/Berlin`. */
        time_zone: z
          .string()
          .max(64)
          .refine(isTimeZone, 'must be a time zone of the IANA database, such as Europe/Berlin')
          .default('UTC'),
      })
      .refine(field.isPeriod, field.NO_PERIOD),
    response: z.object({ days: z.array(day) }),
  }),
};
