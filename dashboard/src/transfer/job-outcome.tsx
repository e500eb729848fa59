import { PlainText } from '../design/memory-text.tsx';
import type { ImportJob } from './source.ts';
import classes from './transfer.module.css';

const WORDS = [
  ['created', 'new'],
  ['restored', 'restored'],
  ['updated', 'updated'],
  ['unchanged', 'already there'],
  ['duplicates', 'imported before'],
  ['versions', 'former versions'],
  ['queued', 'wait with the Guardian'],
  ['skipped', 'left out'],
  ['failed', 'failed'],
] as const;

/** Returns the outcome of a job in one line. */
export function outcomeOf({ result, status, error, progress }: ImportJob): string {
  if (error && status === 'failed') return error.message;
  const numbers = WORDS.flatMap(([name, words]) => {
    const count = result?.[name];
    return typeof count === 'number' && count > 0 ? [`${count.toLocaleString('en')} ${words}`] : [];
  });
  return numbers.length === 0 ? `${progress.done.toLocaleString('en')} done` : numbers.join(' · ');
}

/** Lists the items that could not be imported, and why. */
export function JobErrors({ job: { errors, errors_count: count } }: { job: ImportJob }) {
  if (count === 0) return null;
  return (
    <details>
      <summary className={classes.summary}>
        {count === 1 ? 'One item' : `${count.toLocaleString('en')} items`} could not be imported
      </summary>
      <ul className={classes.plain}>
        {errors.map(({ item, message }) => (
          <li key={`${item} ${message}`}>
            <PlainText text={item} />: <PlainText text={message} />
          </li>
        ))}
      </ul>
    </details>
  );
}
