import { SvcError } from '../../kernel/contract/errors.ts';
import { type MemoryFields, startOf } from '../records/row.ts';

type Times = Pick<MemoryFields, 'occurredAt' | 'validFrom' | 'validTo' | 'expiresAt'>;

/**
 * Refuses a memory that ends before it begins, and one that would expire at once.
 *
 * @param asked.before The memory as it is; absent for a new one. What it says already is not refused.
 * @param asked.within What stands before the names of the fields, such as `memories.3.`.
 * @throws SvcError `VALIDATION_ERROR`.
 */
export function requireTimes(
  times: Times,
  { now, before, within = '' }: { readonly now: Date; readonly before?: Times; readonly within?: string },
): void {
  const { validTo, expiresAt } = times;
  const start = startOf(times);
  const details = [];
  if (validTo !== null && validTo <= start) {
    const message = `must be after valid_from, which is ${start.toISOString()}`;
    details.push({ path: `${within}valid_to`, message });
  }
  const isNew = expiresAt?.getTime() !== before?.expiresAt?.getTime();
  if (expiresAt !== null && expiresAt <= now && isNew) {
    const message = 'must be in the future; to archive a memory now, DELETE /memories/{id}';
    details.push({ path: `${within}expires_at`, message });
  }
  const [first] = details;
  if (first) throw new SvcError('VALIDATION_ERROR', `${first.path}: ${first.message}`, { details });
}
