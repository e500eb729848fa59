import { plural, t } from '@lingui/core/macro';
import { formatNumber } from '../design/format.ts';
import { waitingIn } from '../guardian/entry.ts';
import type { OverviewData } from './overview-data.ts';

/** What the verdict is made of. */
interface Facts {
  readonly overview: Pick<OverviewData, 'guardian' | 'unconfirmed' | 'spaces' | 'distress' | 'stability'>;
  readonly overdue: number;
  readonly missingRecoveries: number;
  /** The drift from which on a change is large. */
  readonly driftLimit: number;
}

interface Verdict {
  /** `well`: nothing waits; `waits`: something does; `alarm`: it should not wait long. */
  readonly tone: 'well' | 'waits' | 'alarm';
  readonly sentence: string;
}

/** Says in one sentence how the agent is and what waits for the human: `All is well but: one call and two changes wait.` */
export function verdictOf({ overview, overdue, missingRecoveries, driftLimit }: Facts): Verdict {
  const { distress, stability } = overview;
  const { pending, unconfirmed } = waitingIn(overview);
  const changes = pending.filter(({ current }) => current !== null);
  const additions = pending.length - changes.length + unconfirmed.length;
  const large = changes.filter(({ drift }) => drift > 0 && drift >= driftLimit).length;
  const calls = distress ? 1 : 0;
  const total = calls + changes.length + additions;
  const waiting = [
    ...said(calls, () => t`one call for help`),
    ...said(changes.length, (number) =>
      plural(changes.length, { one: 'one change', other: `${number} changes` }),
    ),
    ...said(additions, (number) =>
      plural(additions, { one: 'one new memory', other: `${number} new memories` }),
    ),
  ];
  const parts = [
    ...(total === 0 ? [] : [waits(listed(waiting), total) + sizeOf(total, large)]),
    ...said(overdue, (number) =>
      plural(overdue, { one: 'one date is overdue', other: `${number} dates are overdue` }),
    ),
    ...said(missingRecoveries, (number) =>
      plural(missingRecoveries, {
        one: 'one compaction had no recovery',
        other: `${number} compactions had no recovery`,
      }),
    ),
    ...(stability.drift_check ? [t`your agent is asked whether it is still itself`] : []),
  ];
  if (parts.length === 0) return { tone: 'well', sentence: t`All is well. Nothing waits for you.` };
  const list = parts.join('; ');
  if (calls + large > 0) return { tone: 'alarm', sentence: t`Your agent needs you: ${list}.` };
  return { tone: 'waits', sentence: t`All is well but: ${list}.` };
}

function waits(what: string, total: number): string {
  return plural(total, { one: `${what} waits`, other: `${what} wait` });
}

function sizeOf(total: number, large: number): string {
  if (large === 0) return '';
  const number = numeral(large);
  if (total === 1) return t`, and it is a large one`;
  return plural(large, { one: ', one of them a large change', other: `, ${number} of them large changes` });
}

function said(count: number, words: (number: string) => string): string[] {
  return count === 0 ? [] : [words(numeral(count))];
}

const NUMERALS = [t`no`, t`one`, t`two`, t`three`, t`four`, t`five`, t`six`, t`seven`, t`eight`, t`nine`];

/** Writes small numbers as words, as within a sentence. */
function numeral(count: number): string {
  return NUMERALS[count] ?? formatNumber(count);
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  const others = parts.slice(0, -1).join(', ');
  return others === '' ? last : t`${others} and ${last}`;
}
