import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor } from '@mantine/core';
import { splitUnseen } from '@svc-memory/core/text';
import { Fragment, useState } from 'react';
import { formatNumber } from './format.ts';
import classes from './memory-text.module.css';
import { usePrinting } from './printing.ts';

const CHARACTERS_PER_LINE = 160;
const LONG = 2_400;
const LONGEST_WORD = 300;
/** So many characters without white space before another such. */
const LONG_WORD = new RegExp(`(\\S{${LONGEST_WORD}})(?=\\S)`, 'u');

interface Props {
  readonly text: string;
  /** How many lines to show. Default: the whole text, folded if it is very long. */
  readonly lines?: number;
  readonly size?: 'small' | 'normal' | 'large';
}

/** Shows what an agent wrote as plain text. No markup in it is run, no link is followed, no character is hidden. */
export function MemoryText({ text, lines, size = 'normal' }: Props) {
  const [isOpen, setOpen] = useState(false);
  // Nothing on paper can be unfolded.
  const unfolded = usePrinting() || isOpen;
  if (text === '[redacted]')
    return (
      <p className={classes.redacted}>
        <Trans>Kept to itself by the agent</Trans>
      </p>
    );
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
        <Anchor component="button" type="button" size="sm" onClick={() => setOpen(!isOpen)}>
          {unfolded ? t`Show less` : t`Show all ${formatNumber(text.length)} characters`}
        </Anchor>
      )}
    </>
  );
}

/** Shows a short text from outside, such as a name. Its writing direction cannot reach the text around it. */
export function PlainText({ text }: { text: string }) {
  return (
    <bdi className={classes.plain}>
      <Stretches text={text} />
    </bdi>
  );
}

/** Shows a text with its invisible characters named. Use it inside an element that isolates the writing direction. */
export function Stretches({ text }: { text: string }) {
  return splitUnseen(text).map((part, index) =>
    typeof part === 'string' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text does not change its order
      <Pieces key={index} text={part} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text does not change its order
      <span key={index} className={classes.code} title={t`A character that cannot be seen`}>
        {part.code}
      </span>
    ),
  );
}

/** Whether a text has a word so long that the browser takes seconds to break it where it has no place for that. */
export function hasLongWord(text: string): boolean {
  return LONG_WORD.test(text);
}

/** A text with places to break within words so long that the browser would take seconds to find them. */
function Pieces({ text }: { text: string }) {
  if (text.length <= LONGEST_WORD) return text;
  const pieces = text.split(LONG_WORD).filter((piece) => piece !== '');
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text does not change its order
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {piece}
    </Fragment>
  ));
}

/** Returns the first `length` characters, never half of a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/u, '')
    .trimEnd();
}
