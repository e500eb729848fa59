import { type Fault, type Figures, verdictOf } from './fault.ts';

/** A fault and what came of it: its figures, or why it was not made. */
export interface Outcome {
  readonly fault: Fault;
  readonly figures?: Figures;
  readonly skipped?: string;
  readonly ms: number;
}

const HEAD = ['fault', 'times', 'n', 'lost', 'dup', 'recovery', 'answers', 'result'];

/** All outcomes as one table, with the seed that repeats them. */
export function tableOf(outcomes: readonly Outcome[], seed: number): string {
  const rows = outcomes.map(({ fault, figures, skipped }) => {
    if (!figures) return [fault.name, '', '', '', '', '', '', `skipped: ${skipped}`];
    const wrong = verdictOf(figures);
    return [
      fault.name,
      String(figures.times),
      figures.n,
      String(figures.lost),
      String(figures.duplicates),
      figures.recoveryMs === undefined ? '' : `${figures.recoveryMs} ms`,
      Object.entries(figures.codes)
        .map(([code, count]) => `${code} ${count}`)
        .join(', '),
      [wrong.length === 0 ? 'held' : `BROKEN: ${wrong.join('; ')}`, figures.note].filter(Boolean).join('; '),
    ];
  });
  const widths = HEAD.map((_, column) => Math.max(...[HEAD, ...rows].map((row) => row[column]?.length ?? 0)));
  const lines = [HEAD, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n\nseed ${seed}; of n none lost means fewer than 3/n lost, at 95 %\n`;
}
