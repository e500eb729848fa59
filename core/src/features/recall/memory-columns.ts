import { type SQL, sql } from 'drizzle-orm';
import type { Metadata, Source } from '../../kernel/contract/fields.ts';
import { type MemoryView, toDate } from './candidates.ts';
import type { Recalled } from './contract.ts';

/** The columns of `memoryColumns`: what recall shows of a memory. */
export type MemoryColumns<Content extends string | null = string> = readonly [
  id: string,
  type: Recalled['type'],
  content: Content,
  category: Recalled['category'],
  key: string | null,
  tags: readonly string[],
  importance: number,
  occurredAt: string,
  sessionId: string | null,
  derivedFrom: readonly string[],
  supersededBy: string | null,
  validFrom: string | null,
  validTo: string | null,
  expiresAt: string | null,
  metadata: Metadata | null,
  createdAt: string,
  updatedAt: string,
  conflictsWith: readonly string[] | null,
  contentSource: Source,
];

/** A memory in the form of `MemoryColumns`, with this as its content. */
export const memoryColumnsWith = (
  content: SQL,
) => sql`json_build_array(id, type, ${content}, category, key, tags, importance,
  occurred_at AT TIME ZONE 'UTC', session_id, derived_from, superseded_by, valid_from AT TIME ZONE 'UTC',
  valid_to AT TIME ZONE 'UTC', expires_at AT TIME ZONE 'UTC', metadata, created_at AT TIME ZONE 'UTC', updated_at AT TIME ZONE 'UTC',
  conflicts_with, coalesce(content_source, source))`;

/** A memory in the form of `MemoryColumns`. */
export const memoryColumns = memoryColumnsWith(sql`content`);

/** The writer of a memory: the source of what it says, with the credential of its current version. */
export const writerColumn = sql`concat_ws(' ', coalesce(content_source, source), credential_id)`;

/** A memory as the database's JSON has it. */
export function toMemoryView(columns: MemoryColumns): MemoryView {
  const [id, type, content, category, key, tags, importance, at, sessionId, derivedFrom, ...more] = columns;
  const [supersededBy, validFrom, validTo, expiresAt, metadata, createdAt, updatedAt, ...last] = more;
  const [conflictsWith, contentSource] = last;
  const moment = (text: string | null) => (text === null ? null : toDate(text));
  return {
    id,
    type,
    content,
    category,
    key,
    tags,
    importance,
    occurredAt: toDate(at),
    createdAt: toDate(createdAt),
    updatedAt: toDate(updatedAt),
    sessionId,
    derivedFrom,
    supersededBy,
    validFrom: moment(validFrom),
    validTo: moment(validTo),
    expiresAt: moment(expiresAt),
    metadata,
    conflictsWith,
    contentSource,
  };
}
