import { type ChangeObject, diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import { MemoryText, Stretches } from './memory-text.tsx';
import classes from './text-diff.module.css';

/** The time limit of a diff. Texts that take longer have too little in common for a useful one. */
const PATIENCE_MS = 400;
/** The same where several diffs are on a page. */
const SHORT_PATIENCE_MS = 60;
/** Characters of an unchanged part that are shown on each side of a change. */
const CONTEXT = 60;

interface Props {
  readonly before: string;
  readonly after: string;
  /** How many lines to show, in small letters: of what stays, only what stands next to a change. Default: all. */
  readonly lines?: number;
}

/** Shows two versions of a text in one. Deleted words are struck through, inserted words are marked. */
export function TextDiff({ before, after, lines }: Props) {
  const parts = useMemo(() => {
    if (lines === undefined) return wordsOf(before, after, PATIENCE_MS);
    return wordsOf(before, after, SHORT_PATIENCE_MS)?.map(excerpt);
  }, [before, after, lines]);
  const clamp = lines === undefined ? {} : { lines, size: 'small' as const };
  if (parts === undefined) {
    return (
      <>
        <del className={classes.whole}>
          <MemoryText text={before} {...clamp} />
        </del>
        <ins className={classes.whole}>
          <MemoryText text={after} {...clamp} />
        </ins>
      </>
    );
  }
  return (
    <p
      dir="auto"
      className={classes.text}
      data-clamped={lines !== undefined}
      style={lines === undefined ? {} : { WebkitLineClamp: lines, lineClamp: lines }}
    >
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
function wordsOf(before: string, after: string, timeout: number): ChangeObject<string>[] | undefined {
  const parts = diffWordsWithSpace(before, after, { timeout });
  if (parts === undefined) return undefined;
  const kept = parts.filter(({ added, removed }) => !added && !removed).map(({ value }) => value.trim());
  const shared = kept.join('').length;
  return shared * 4 < Math.min(before.length, after.length) ? undefined : parts;
}

/** Cuts an unchanged part to what stands next to the changes, so that no change is pushed out of sight. */
function excerpt(part: ChangeObject<string>, index: number, { length }: { readonly length: number }) {
  if (part.added || part.removed) return part;
  const head = index === 0 ? '' : part.value.slice(0, CONTEXT);
  const tail = index === length - 1 ? '' : part.value.slice(-CONTEXT);
  if (head.length + tail.length >= part.value.length) return part;
  return { ...part, value: `${head}…${tail}` };
}
