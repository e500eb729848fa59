import { Anchor } from '@mantine/core';
import { useState } from 'react';
import classes from './memory-text.module.css';
import { cut, stretches } from './visible-text.ts';

const CHARACTERS_PER_LINE = 160;
const LONG = 2_400;

interface Props {
  readonly text: string;
  /** Lines to show; without it all of the text, folded where it is very long. */
  readonly lines?: number;
  readonly size?: 'small' | 'normal' | 'large';
}

/** What an agent wrote, as plain text: nothing in it is run, followed or hidden. */
export function MemoryText({ text, lines, size = 'normal' }: Props) {
  const [unfolded, setUnfolded] = useState(false);
  if (text === '[redacted]') return <p className={classes.redacted}>Kept to itself by the agent</p>;
  const most = lines === undefined ? (unfolded ? text.length : LONG) : lines * CHARACTERS_PER_LINE;
  const shown = cut(text, most);
  const style = lines === undefined ? {} : { WebkitLineClamp: lines, lineClamp: lines };
  return (
    <>
      <p
        dir="auto"
        className={classes.text}
        data-size={size}
        data-clamped={lines !== undefined}
        style={style}
      >
        <Stretches text={shown} />
        {shown.length < text.length && '…'}
      </p>
      {lines === undefined && text.length > LONG && (
        <Anchor component="button" type="button" size="sm" onClick={() => setUnfolded(!unfolded)}>
          {unfolded ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
        </Anchor>
      )}
    </>
  );
}

/** Any text from outside, such as a name or a tag, kept from turning or hiding what stands beside it. */
export function PlainText({ text }: { text: string }) {
  return (
    <bdi className={classes.plain}>
      <Stretches text={text} />
    </bdi>
  );
}

/** The text itself, with characters that hide or turn it named; for within an element that isolates its direction. */
export function Stretches({ text }: { text: string }) {
  return stretches(text).map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text does not change its order
      <span key={index} className={classes.code} title="A character that cannot be seen">
        {part.code}
      </span>
    ),
  );
}
