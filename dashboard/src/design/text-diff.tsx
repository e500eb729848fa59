import { type ChangeObject, diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import { MemoryText, Stretches } from './memory-text.tsx';
import classes from './text-diff.module.css';

/** The time limit of a diff. Texts that take longer have too little in common for a useful one. */
const PATIENCE_MS = 400;

interface Props {
  readonly before: string;
  readonly after: string;
}

/** Shows two versions of a text in one. Deleted words are struck through, inserted words are marked. */
export function TextDiff({ before, after }: Props) {
  const parts = useMemo(() => wordsOf(before, after), [before, after]);
  if (parts === undefined) {
    return (
      <>
        <del className={classes.whole}>
          <MemoryText text={before} />
        </del>
        <ins className={classes.whole}>
          <MemoryText text={after} />
        </ins>
      </>
    );
  }
  return (
    <p dir="auto" className={classes.text}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text do not change places
        <Part key={index} part={part} />
      ))}
    </p>
  );
}

function Part({ part }: { part: ChangeObject<string> }) {
  const words = <Stretches text={part.value} />;
  if (part.removed) return <del className={classes.part}>{words}</del>;
  if (part.added) return <ins className={classes.part}>{words}</ins>;
  return words;
}

/** Returns undefined if the texts have too little in common, or if the diff takes too long. */
function wordsOf(before: string, after: string): ChangeObject<string>[] | undefined {
  const parts = diffWordsWithSpace(before, after, { timeout: PATIENCE_MS });
  if (parts === undefined) return undefined;
  const kept = parts.filter(({ added, removed }) => !added && !removed).map(({ value }) => value.trim());
  const shared = kept.join('').length;
  return shared * 4 < Math.min(before.length, after.length) ? undefined : parts;
}
