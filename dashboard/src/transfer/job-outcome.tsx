import { plural, t } from '@lingui/core/macro';
import { formatNumber } from '../design/format.ts';
import { PlainText } from '../design/memory-text.tsx';
import { countsInWords } from '../design/names.ts';
import { serverText } from '../language/server-text.ts';
import type { ImportJob } from './source.ts';
import classes from './transfer.module.css';

const WORDS = [
  ['created', t`new`],
  ['restored', t`restored`],
  ['updated', t`updated`],
  ['unchanged', t`already there`],
  ['duplicates', t`imported before`],
  ['versions', t`former versions`],
  ['queued', t`wait with the Guardian`],
  ['skipped', t`left out`],
  ['failed', t`failed`],
] as const;

/** Returns the outcome of a job in one line. */
export function outcomeOf({ result, status, error, progress }: ImportJob): string {
  if (error && status === 'failed') return serverText(error.message);
  return countsInWords(result ?? {}, WORDS) || t`${formatNumber(progress.done)} done`;
}

/** Lists the items that could not be imported, and the fields that others came without, and why. */
export function JobErrors({ job: { errors, errors_count: count, result } }: { job: ImportJob }) {
  if (count === 0) return null;
  const fields = typeof result?.fields_left_out === 'number' ? result.fields_left_out : 0;
  return (
    <details>
      <summary className={classes.summary}>{troublesOf(count - fields, fields)}</summary>
      <ul className={classes.plain}>
        {errors.map(({ item, message }) => (
          <li key={`${item} ${message}`}>
            <PlainText text={item} />: <PlainText text={serverText(message)} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function troublesOf(failed: number, fields: number): string {
  const items = plural(failed, {
    one: 'One item could not be imported',
    other: '# items could not be imported',
  });
  const others = plural(fields, { one: 'One field was left out', other: '# fields were left out' });
  return [...(failed > 0 ? [items] : []), ...(fields > 0 ? [others] : [])].join(' · ');
}
