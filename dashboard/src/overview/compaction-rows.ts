import type { AnswerOf } from '../api/call.ts';

export type LoggedMoment = AnswerOf<'GET /compactions'>['moments'][number];

/** What happened to an agent's context once: a boot, a flush, or a compaction with the recovery that followed it. */
export interface CompactionRow {
  readonly first: LoggedMoment;
  /** Of a compaction, the recovery that followed. */
  readonly recovery?: LoggedMoment;
}

/** The longest time between a compaction and its recovery. */
const TOGETHER_MS = 15 * 60_000;

/** Puts each compaction and its recovery into one row. @param moments newest first. */
export function rowsOf(moments: readonly LoggedMoment[]): CompactionRow[] {
  const taken = new Set<string>();
  const rows: CompactionRow[] = [];
  for (const [index, moment] of moments.entries()) {
    if (taken.has(moment.id)) continue;
    const first =
      moment.kind === 'recovery'
        ? moments
            .slice(index + 1)
            .find((other) => other.kind === 'compaction' && !taken.has(other.id) && belongs(other, moment))
        : undefined;
    if (first) taken.add(first.id);
    rows.push(first ? { first, recovery: moment } : { first: moment });
  }
  return rows;
}

function belongs(compaction: LoggedMoment, recovery: LoggedMoment): boolean {
  const passed = new Date(recovery.at).getTime() - new Date(compaction.at).getTime();
  return compaction.session_id === recovery.session_id && passed >= 0 && passed <= TOGETHER_MS;
}
