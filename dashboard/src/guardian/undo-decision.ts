import { t } from '@lingui/core/macro';
import type { RequestOf } from '../api/call.ts';
import type { Undo } from '../api/hooks.ts';
import type { GuardianDecision } from './decision-words.ts';
import type { ReviewEntry } from './entry.ts';

/**
 * Returns how to take a decision back. An approved change is changed back, an added memory is archived, a removed one is
 * restored. What was rejected has changed nothing, and the agent may ask again.
 *
 * @param decidedAt When it was decided. Where the memory has changed since then, an approval is not changed back.
 */
export function undoOf(
  entry: ReviewEntry,
  decision: GuardianDecision,
  { space, decidedAt }: { readonly space?: string | undefined; readonly decidedAt: string | null },
): Undo | undefined {
  const place = space === undefined ? {} : { space_id: space };
  const { memory_id: id, current, proposed, status } = entry;
  if (decision === 'reject') {
    if (status !== 'added' || current !== null) return undefined;
    return {
      run: (call) => call('POST /memories/{id}/restore', { id, ...place }),
      done: t`The memory is back.`,
    };
  }
  if (status === 'added' || current === null) return undefined;
  if (proposed === null) {
    return {
      run: (call) => call('POST /memories/{id}/restore', { id, ...place }),
      done: t`The memory is back.`,
    };
  }
  return {
    run: async (call) => {
      const { memory } = await call('GET /memories/{id}', { id, ...place });
      if (memory.updated_at !== decidedAt) throw new Error(t`The memory has been changed since then.`);
      const ifUnchanged = { 'If-Match': `"${memory.version}"` };
      return call('PATCH /memories/{id}', { id, ...place, ...fieldsOf(current) }, ifUnchanged);
    },
    done: t`The memory says again what it said before.`,
  };
}

function fieldsOf(state: NonNullable<ReviewEntry['current']>): Omit<RequestOf<'PATCH /memories/{id}'>, 'id'> {
  const { valid_from, valid_to, expires_at, metadata, ...others } = state;
  return {
    ...others,
    valid_from: valid_from ?? null,
    valid_to: valid_to ?? null,
    expires_at: expires_at ?? null,
    metadata: metadata ?? null,
  };
}
