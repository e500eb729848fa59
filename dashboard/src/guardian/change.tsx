import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import { TextDiff } from '../design/text-diff.tsx';
import classes from './entry.module.css';
import type { Entry } from './guardian.tsx';

type Fields = NonNullable<Entry['current']>;
type Side = 'changes' | 'current' | 'proposed';

const SIDES = [
  { value: 'changes', label: 'Changes' },
  { value: 'current', label: 'Now' },
  { value: 'proposed', label: 'Proposed' },
];
const REDACTED = '[redacted]';

/** What is asked for, in a few words. */
export function whatOf({ current, proposed }: Entry): string {
  if (proposed === null) return `Its ${current?.category} would be forgotten`;
  if (current === null) return 'A new protected memory';
  if (current.type !== proposed.type) return `Its ${current.category} would become ${proposed.type}`;
  if (current.category !== proposed.category)
    return `Its ${current.category} would become its ${proposed.category}`;
  return `Its ${current.category} would change`;
}

/** The change itself: as a diff, or either side of it. */
export function Change({ entry: { current, proposed } }: { entry: Entry }) {
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

/** What else changes. */
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
