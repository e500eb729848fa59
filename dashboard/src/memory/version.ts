import { t } from '@lingui/core/macro';
import type { fields } from '@svc-memory/core/contract';
import type { AnswerOf, RequestOf } from '../api/call.ts';
import { FIELD_NAMES, FIELDS, fieldText } from '../design/field-words.ts';

type History = AnswerOf<'GET /memories/{id}/history'>;
export type Memory = History['memory'];

/** One version of a memory, and the change that made it. */
export type Version = History['versions'][number];

/** A version of a memory, or the present one, with what names the memory. */
export type Editable = (Version | Memory) & Pick<Memory, 'id' | 'space_id'>;

/** The fields of a memory that its human can change. */
export type Changes = Omit<RequestOf<'PATCH /memories/{id}'>, 'id'>;

/** Who wrote a version, in the words of a human. */
export const WRITERS: Readonly<Record<fields.Source, string>> = {
  agent: t`the agent`,
  human: t`a human`,
  sync: t`a sync of its files`,
  import: t`an import`,
  webhook: t`a compaction`,
  reflection: t`a reflection`,
};

const REDACTED = '[redacted]';

/** The space that a memory is in, or the user whose it is. */
export interface MemoryPlace {
  readonly space_id?: string | undefined;
  readonly user_id?: string | undefined;
}

/** Where a memory is, for calls about it: nothing for the agent's own. */
export function placeOf({ space_id, user_id }: MemoryPlace) {
  return { ...(space_id !== undefined && { space_id }), ...(user_id !== undefined && { user_id }) };
}

/** Whether the agent shows what the memory says. */
export function isReadable({ content }: Pick<Version, 'content'>): boolean {
  return content !== REDACTED;
}

const NULLABLE = ['category', 'key', 'valid_to', 'expires_at', 'metadata'] as const;

/** Returns what to change in a memory that says `from`, so that it says what `to` says. */
export function changesTo(to: Version | Memory, from: Version | Memory): Changes {
  const wanted: Changes = {
    type: to.type,
    content: to.content,
    tags: to.tags,
    importance: to.importance,
    occurred_at: to.occurred_at,
    ...(to.valid_from !== undefined && { valid_from: to.valid_from }),
    ...Object.fromEntries(NULLABLE.map((name) => [name, to[name] ?? null])),
  };
  return changed(wanted, from);
}

/** Leaves out the fields that are as they were. */
export function changed(wanted: Changes, from: Version | Memory): Changes {
  const before: Readonly<Record<string, unknown>> = { ...from };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => JSON.stringify(value ?? null) !== JSON.stringify(before[name] ?? null),
    ),
  );
}

/** Returns what changed beside the text, a line for each field. */
export function factsChanged(now: Version | Memory, before: Version | Memory): string[] {
  return FIELDS.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(before[name])).map(
    (name) => `${FIELD_NAMES[name]}: ${fieldText(name, before)} → ${fieldText(name, now)}`,
  );
}
