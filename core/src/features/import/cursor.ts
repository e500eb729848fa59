import type { Context } from '../../kernel/context/context.ts';
import type { Database } from '../../kernel/database/database.ts';
import { secretsOf } from '../../secrets/redact.ts';
import type { FormatName } from './contract.ts';
import { openSpool } from './spool.ts';
import { type Finding, type WalkOptions, walk } from './walk.ts';

const BATCH = 200;
/** Findings one step looks at: those that are left out or broken need no writing. */
const MOST_FINDINGS = 5_000;
/** Characters of text one step looks at, about. */
const BATCH_CHARACTERS = 1_000_000;
/** Readers one process keeps open between steps; others begin anew. */
const MOST_OPEN = 4;

/** What one step has to do. */
interface Batch {
  readonly findings: readonly Finding[];
  /** Ordinal of the first finding after these. */
  readonly next: number;
  /** Whether nothing comes after these. */
  readonly last: boolean;
}

/** What an import reads, and where a step goes on. */
interface Source extends Pick<WalkOptions, 'only'> {
  readonly uploadId: string;
  readonly format: FormatName | undefined;
  readonly from: number;
}

interface Reader {
  readonly findings: AsyncGenerator<Finding>;
  /** Ordinal of what it reads next. */
  next: number;
}

// Between two steps of a job its files stay open here, since reading from the beginning each time would take as long
// as the square of their size. A step that finds no reader at its place opens one and reads up to there.
const open = new WeakMap<Database, Map<string, Reader>>();

/** Reads the findings of one step of an import. */
export async function readBatch(
  context: Context,
  jobId: string,
  { uploadId, format, only, from }: Source,
): Promise<Batch> {
  const readers = open.get(context.database) ?? new Map<string, Reader>();
  open.set(context.database, readers);
  const kept = readers.get(jobId);
  readers.delete(jobId);
  if (kept && kept.next !== from) await kept.findings.return(undefined);
  const reader =
    kept?.next === from
      ? kept
      : {
          findings: walk(await openSpool(context, uploadId), format, { secrets: secretsOf(context), only }),
          next: 0,
        };
  const batch = await readOn(reader, from);
  if (batch.last) await reader.findings.return(undefined);
  else await keep(readers, jobId, reader);
  return batch;
}

async function readOn(reader: Reader, from: number): Promise<Batch> {
  const findings: Finding[] = [];
  let characters = 0;
  let written = 0;
  while (written < BATCH && findings.length < MOST_FINDINGS && characters < BATCH_CHARACTERS) {
    const { value, done } = await reader.findings.next();
    if (done) return { findings, next: reader.next, last: true };
    reader.next = value.ordinal + 1;
    if (value.ordinal < from) continue;
    findings.push(value);
    if (value.kind !== 'skipped' && value.kind !== 'problem') written += 1;
    characters += lengthOf(value);
  }
  return { findings, next: reader.next, last: false };
}

function lengthOf(finding: Finding): number {
  if (finding.kind === 'memory') return finding.draft.content.length;
  if (finding.kind === 'exact') return finding.memory.content.length;
  return finding.kind === 'version' ? finding.version.content.length : 0;
}

async function keep(readers: Map<string, Reader>, jobId: string, reader: Reader): Promise<void> {
  readers.set(jobId, reader);
  const [oldest] = readers;
  if (readers.size <= MOST_OPEN || !oldest) return;
  readers.delete(oldest[0]);
  await oldest[1].findings.return(undefined);
}
