import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import { TextDiff } from '../design/text-diff.tsx';
import classes from './entry.module.css';
import type { ReviewEntry } from './entry.ts';

type Fields = NonNullable<ReviewEntry['current']>;
type Side = 'changes' | 'current' | 'proposed';

const SIDES = [
  { value: 'changes', label: 'Changes' },
  { value: 'current', label: 'Now' },
  { value: 'proposed', label: 'Proposed' },
];
const REDACTED = '[redacted]';

/** Says in a few words what the entry asks for. */
export function whatOf({ current, proposed }: Pick<ReviewEntry, 'current' | 'proposed'>): string {
  if (current === null) return `A new ${proposed?.category ?? 'protected'} memory`;
  const its = `Its ${current.category ?? `${current.type} memory`}`;
  if (proposed === null) return `${its} would be forgotten`;
  if (current.type !== proposed.type) return `${its} would become ${proposed.type}`;
  if (proposed.category === null && current.category !== null) return `${its} would lose its category`;
  if (current.category !== proposed.category) return `${its} would become its ${proposed.category}`;
  return `${its} would change`;
}

/** Shows the change as a diff, or one of its two sides. */
export function EntryChange({ entry: { current, proposed } }: { entry: ReviewEntry }) {
  const [side, setSide] = useState<Side>('changes');
  if (current === null || proposed === null) {
    const only = current ?? proposed;
    return only && <MemoryText text={only.content} />;
  }
  const differs = current.content !== proposed.content;
  const readable = current.content !== REDACTED && proposed.content !== REDACTED;
  return (
    <div className={classes.change}>
      {differs && readable && (
        <SegmentedControl
          size="xs"
          aria-label="What to show"
          data={SIDES}
          value={side}
          onChange={(value) => setSide(value as Side)}
          className={classes.sides}
        />
      )}
      {differs && readable && side === 'changes' ? (
        <TextDiff before={current.content} after={proposed.content} />
      ) : (
        <MemoryText text={side === 'proposed' ? proposed.content : current.content} />
      )}
      <Details current={current} proposed={proposed} />
    </div>
  );
}

/** Lists the fields that change beside the content. */
function Details({ current, proposed }: { current: Fields; proposed: Fields }) {
  const names = ['type', 'category', 'key', 'tags', 'importance', 'occurred_at'] as const;
  const changed = names.filter((name) => shown(current[name]) !== shown(proposed[name]));
  if (changed.length === 0) return null;
  return (
    <ul className={classes.details}>
      {changed.map((name) => (
        <li key={name}>
          <span className={classes.field}>{name.replace('_', ' ')}</span>{' '}
          <del>
            <PlainText text={shown(current[name])} />
          </del>{' '}
          <span aria-hidden="true">→</span>{' '}
          <ins>
            <PlainText text={shown(proposed[name])} />
          </ins>
        </li>
      ))}
    </ul>
  );
}

function shown(value: Fields[keyof Fields]): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return String(value);
}
