import type { Context } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { JobRow } from './schema.ts';

/** Emits the progress of a job. */
export function emitProgress(tx: Tx, context: Context, { id, kind, done, total }: JobRow): Promise<void> {
  return context.emit(tx, 'job.progress', { job_id: id, kind, done, total });
}

/** Emits the end of a job, whether it succeeded or not. */
export function emitFinished(tx: Tx, context: Context, { id, kind, status }: JobRow): Promise<void> {
  return context.emit(tx, 'job.finished', { job_id: id, kind, status });
}
