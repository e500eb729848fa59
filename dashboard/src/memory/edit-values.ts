import { t } from '@lingui/core/macro';
import type { fields } from '@svc-memory/core/contract';
import { toFieldTime, toInstant } from '../design/field-time.ts';
import { type Changes, changed, type Memory, type Version } from './version.ts';

/** What the form of a memory holds: plain texts, times as the fields of a browser take them. */
export interface EditValues {
  content: string;
  type: fields.MemoryType;
  category: fields.Category | null;
  key: string;
  tags: string[];
  importance: number;
  occurred_at: string;
  valid_from: string;
  valid_to: string;
  expires_at: string;
}

/** What the human has changed of them. */
export type Typed = Partial<EditValues>;

export const TIMES = [
  { name: 'occurred_at', label: t`Happened`, required: true },
  { name: 'valid_from', label: t`Holds from`, required: false },
  { name: 'valid_to', label: t`Holds until`, required: false },
  { name: 'expires_at', label: t`Forgotten by itself`, required: false },
] as const;

export function valuesOf(memory: Memory | Version): EditValues {
  return {
    content: memory.content,
    type: memory.type,
    category: memory.category,
    key: memory.key ?? '',
    tags: memory.tags,
    importance: memory.importance,
    occurred_at: toFieldTime(memory.occurred_at),
    valid_from: toFieldTime(memory.valid_from),
    valid_to: toFieldTime(memory.valid_to),
    expires_at: toFieldTime(memory.expires_at),
  };
}

/** Returns what the human has changed of `before`. */
export function typedIn(values: EditValues, before: Memory | Version): Typed {
  const shown = valuesOf(before);
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(shown[name as keyof EditValues]),
    ),
  );
}

/** Returns what the human has changed of `before`, and everything else as it is `now`. */
export function rebased(values: EditValues, before: Memory | Version, now: Memory): EditValues {
  return { ...valuesOf(now), ...typedIn(values, before) };
}

/** Returns the fields that the human has changed. A time that looks as before is left as exact as it was. */
export function editsOf(values: EditValues, memory: Memory | Version): Changes {
  const before = valuesOf(memory);
  const moved = TIMES.filter(({ name }) => values[name] !== before[name]);
  const { content, type, tags, importance, key } = values;
  return changed(
    {
      ...{ content, type, tags, importance },
      category: type === 'core' ? values.category : null,
      key: key.trim() === '' ? null : key,
      ...Object.fromEntries(moved.map(({ name }) => [name, toInstant(values[name])])),
    },
    memory,
  );
}
