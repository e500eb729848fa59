import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import type { JobRow } from './schema.ts';

/** The event of a job on its way. */
export function emitProgress(tx: Tx, context: Context, { id, kind, done, total }: JobRow): Promise<void> {
  return context.emit(tx, 'job.progress', { job_id: id, kind, done, total });
}

/** The event every job causes at its end, however it ends. */
export function emitFinished(tx: Tx, context: Context, { id, kind, status }: JobRow): Promise<void> {
  return context.emit(tx, 'job.finished', { job_id: id, kind, status });
}
