import type { Checked } from './lab/check.ts';
import type { Cluster } from './lab/cluster.ts';
import { codesIn, type Entry, messagesOf, recoveryAfter } from './lab/journal.ts';
import type { Random } from './lab/random.ts';

/** What every fault may use. */
export interface Lab {
  readonly random: Random;
  /** How often to repeat; 1 is the quick form. */
  readonly rounds: number;
  /** How long what has no end goes on; default: as short as can be. */
  readonly minutes?: number;
  /** File for a picture of what a fault measures over time. */
  readonly svg?: string;
  /** The service of several processes that all faults of a run share. */
  cluster(): Promise<Cluster>;
}

/** One row of the table. */
export interface Figures {
  /** Times the fault was made. */
  readonly times: number;
  /** What was counted, and how many of it. */
  readonly n: string;
  readonly lost: number;
  readonly duplicates: number;
  /** Longest of the recoveries, in milliseconds. */
  readonly recoveryMs?: number;
  /** Answers by status; `refused` is a connection that never was, `reset` one that broke. */
  readonly codes: Readonly<Record<string, number>>;
  readonly note?: string;
  /** What must not have been. */
  readonly problems: readonly string[];
}

/** A way to break the service. */
export interface Fault {
  readonly name: string;
  /** What must hold, in words. */
  readonly holds: string;
  /** What must hold depends on times: other work beside it would break what holds by itself. */
  readonly timed?: true;
  /** Why it cannot be made on this machine. */
  missing?(): Promise<string | undefined> | string | undefined;
  run(lab: Lab): Promise<Figures>;
}

interface WriteFigures {
  readonly times: number;
  readonly journal: readonly Entry[];
  readonly checked: Checked;
  /** When the fault was made each time. */
  readonly moments: readonly number[];
  /** Answers a client may get; all others are problems. */
  readonly allowed: readonly string[];
  readonly note?: string;
  readonly problems?: readonly string[];
}

/** The row of a fault under which a client wrote. */
export function figuresOf(given: WriteFigures): Figures {
  const { times, journal, checked, moments, allowed, note, problems = [] } = given;
  const codes = codesIn(journal);
  const odd = Object.entries(codes).filter(([code]) => code !== 'ok' && !allowed.includes(code));
  const silent = journal.filter(
    (entry) => entry.kind === 'failed' && entry.code === '503' && !entry.retryAfter,
  );
  const recoveries = moments.map((moment) => recoveryAfter(journal, moment));
  return {
    times,
    n: `${checked.acknowledged} acknowledged`,
    lost: checked.lost,
    duplicates: checked.duplicates,
    ...(recoveries.length > 0 && { recoveryMs: Math.max(...recoveries) }),
    codes,
    ...(note !== undefined && { note }),
    problems: [
      ...problems,
      ...checked.problems,
      ...odd.map(([code, count]) => [`${count} answers ${code}`, ...messagesOf(journal, code)].join(': ')),
      ...(silent.length > 0 ? [`${silent.length} answers 503 without Retry-After`] : []),
      ...recoveries.filter((one) => !Number.isFinite(one)).map(() => 'a process did not recover'),
    ],
  };
}

/** What a row that must not have happened adds up to. */
export function verdictOf({ lost, duplicates, problems }: Figures): readonly string[] {
  return [
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(duplicates > 0 ? [`${duplicates} duplicates`] : []),
    ...problems,
  ];
}
