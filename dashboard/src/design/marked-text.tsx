import classes from './marked-text.module.css';
import texts from './memory-text.module.css';
import { Stretches } from './memory-text.tsx';

const MOST_WORDS = 12;
const SHORTEST = 3;
const MOST_CHARACTERS = 1_200;
/** Letters that may differ at the end of a word: recall compares stems. */
const ENDING = 2;

/** Words that are in nearly every text. */
const EVERYWHERE = new Set(
  'the and for with that this from was are who what when where which how der die das und mit ist wer wann les des une qui que del los las por'.split(
    ' ',
  ),
);

interface Props {
  readonly text: string;
  /** What was searched for. */
  readonly query: string;
  readonly lines: number;
}

/** Shows what an agent wrote as plain text, with the words of a search marked. */
export function MarkedText({ text, query, lines }: Props) {
  const shown = text.slice(0, MOST_CHARACTERS).replace(/[\uD800-\uDBFF]$/u, '');
  return (
    <p
      dir="auto"
      className={texts.text}
      data-size="small"
      data-clamped="true"
      style={{ WebkitLineClamp: lines, lineClamp: lines }}
    >
      {split(shown, query).map((part, index) =>
        index % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a text does not change its order
          <mark key={index} className={classes.mark}>
            <Stretches text={part} />
          </mark>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a text does not change its order
          <Stretches key={index} text={part} />
        ),
      )}
    </p>
  );
}

/** Splits a text at the words of a query. Every second part is such a word. */
function split(text: string, query: string): string[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= SHORTEST && !EVERYWHERE.has(word))
    .slice(0, MOST_WORDS)
    // Letters and digits only, so they mean nothing else in a pattern.
    .map((word) => word.slice(0, Math.max(SHORTEST, word.length - ENDING)));
  if (words.length === 0) return [text];
  return text.split(new RegExp(`(?<![\\p{L}\\p{N}])((?:${words.join('|')})[\\p{L}\\p{N}]*)`, 'giu'));
}
