import type { Tx } from '../../kernel/database/database.ts';
import type { JobError } from '../jobs/contract.ts';
import type { Stored } from '../records/contract.ts';
import type { Finding } from './walk.ts';

const ZERO = {
  created: 0,
  /** Memories that had the same key and changed. */
  updated: 0,
  unchanged: 0,
  /** Changes of protected memories that wait with the Guardian. */
  queued: 0,
  /** Former versions that came back. */
  versions: 0,
  /** Imported before. */
  duplicates: 0,
  /** Left out on purpose, such as messages of the system. */
  skipped: 0,
  /** Fields that could not be taken over, of memories that came in without them; each is one of the job's errors. */
  fields_left_out: 0,
  /** Secrets that were taken out of the texts. */
  redacted: 0,
};

/** What became of the findings of an import, and what could not be imported. */
type Tally = typeof ZERO;
export type Result = Tally & { readonly [more: string]: unknown };

/** What a batch came to. */
interface Written {
  readonly stored: readonly Stored[];
  readonly tally: Partial<Tally>;
  readonly errors: readonly JobError[];
}

export type WriteBatch = (tx: Tx) => Promise<Written>;

/** Adds a batch to what was done before. */
export function addTo(before: Result | null, more: Partial<Tally>): Tally {
  const sum = { ...ZERO };
  for (const name of Object.keys(ZERO) as (keyof Tally)[]) {
    sum[name] = (before?.[name] ?? 0) + (more[name] ?? 0);
  }
  return sum;
}

/** An error as a job keeps it: the file and the number of the record in it, never its text. */
export function errorOf(
  { path, item }: Pick<Finding, 'path' | 'item'>,
  code: string,
  message: string,
): JobError {
  return { item: `${path} #${item}`.slice(-300).toWellFormed(), code, message };
}

/** What needs no writing: left out or broken. */
export function settleOthers(findings: readonly Finding[]): {
  tally: Pick<Tally, 'skipped' | 'fields_left_out'>;
  errors: JobError[];
} {
  const tally = { skipped: 0, fields_left_out: 0 };
  const errors: JobError[] = [];
  for (const finding of findings) {
    if (finding.kind === 'skipped') tally.skipped += 1;
    if (finding.kind !== 'problem') continue;
    if (finding.field) tally.fields_left_out += 1;
    errors.push(errorOf(finding, finding.field ? 'FIELD_LEFT_OUT' : 'VALIDATION_ERROR', finding.message));
  }
  return { tally, errors };
}
