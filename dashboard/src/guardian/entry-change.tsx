import { t } from '@lingui/core/macro';
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { FIELD_NAMES, FIELDS, fieldText } from '../design/field-words.ts';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import { categoryName, TYPE_NAMES } from '../design/names.ts';
import { TextDiff } from '../design/text-diff.tsx';
import classes from './entry.module.css';
import type { ReviewEntry } from './entry.ts';

type Fields = NonNullable<ReviewEntry['current']>;
type Side = 'changes' | 'current' | 'proposed';

const SIDES = [
  { value: 'changes', label: t`Changes` },
  { value: 'current', label: t`Now` },
  { value: 'proposed', label: t`Proposed` },
];
const REDACTED = '[redacted]';
/** A memory of which nothing is said beside its text. */
const UNSAID = { type: 'core', key: null, tags: [] } as const;

/** Says in a few words what the entry asks for. */
export function whatOf({ current, proposed }: Pick<ReviewEntry, 'current' | 'proposed'>): string {
  if (current === null) {
    const added = proposed?.category ? categoryName(proposed.category) : t`protected`;
    return t`A new ${added} memory`;
  }
  const type = TYPE_NAMES[current.type];
  const name = current.category ? categoryName(current.category) : t`${type} memory`;
  if (proposed === null) return t`Its ${name} would be forgotten`;
  if (current.type !== proposed.type) {
    const next = TYPE_NAMES[proposed.type];
    return t`Its ${name} would become ${next}`;
  }
  if (proposed.category === null && current.category !== null) return t`Its ${name} would lose its category`;
  if (current.category !== proposed.category) {
    const next = categoryName(proposed.category ?? '');
    return t`Its ${name} would become its ${next}`;
  }
  return t`Its ${name} would change`;
}

/** Shows the change as a diff, or one of its two sides. */
export function EntryChange({ entry: { current, proposed } }: { entry: ReviewEntry }) {
  const [side, setSide] = useState<Side>('changes');
  if (current === null || proposed === null) {
    const only = current ?? proposed;
    return (
      only && (
        <div className={classes.change}>
          <MemoryText text={only.content} />
          <Particulars fields={only} />
        </div>
      )
    );
  }
  const differs = current.content !== proposed.content;
  const readable = current.content !== REDACTED && proposed.content !== REDACTED;
  return (
    <div className={classes.change}>
      {differs && readable && (
        <SegmentedControl
          size="xs"
          aria-label={t`What to show`}
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

/** What an author may say of a memory beside its text, and need not. */
const OPTIONAL = ['key', 'tags', 'valid_from', 'valid_to', 'expires_at', 'metadata'] as const;

/** Lists what is said beside the content of a memory that would come, or go. */
function Particulars({ fields }: { fields: Fields }) {
  const said = OPTIONAL.filter((name) => fieldText(name, fields) !== fieldText(name, UNSAID));
  if (said.length === 0) return null;
  return (
    <ul className={classes.details}>
      {said.map((name) => (
        <li key={name}>
          <span className={classes.field}>{FIELD_NAMES[name]}</span>{' '}
          <PlainText text={fieldText(name, fields)} />
        </li>
      ))}
    </ul>
  );
}

/** Lists the fields that change beside the content. */
function Details({ current, proposed }: { current: Fields; proposed: Fields }) {
  const changed = FIELDS.filter((name) => fieldText(name, current) !== fieldText(name, proposed));
  if (changed.length === 0) return null;
  return (
    <ul className={classes.details}>
      {changed.map((name) => (
        <li key={name}>
          <span className={classes.field}>{FIELD_NAMES[name]}</span>{' '}
          <del>
            <PlainText text={fieldText(name, current)} />
          </del>{' '}
          <span aria-hidden="true">→</span>{' '}
          <ins>
            <PlainText text={fieldText(name, proposed)} />
          </ins>
        </li>
      ))}
    </ul>
  );
}
