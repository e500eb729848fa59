import { t } from '@lingui/core/macro';
import { type Form, useAction } from '../api/hooks.ts';
import { changesTo, type Editable, placeOf } from './version.ts';

const TOUCHES = ['memories', 'overview', 'guardian', 'boot', 'stability', 'people'] as const;

interface Correcting {
  /** What follows at once on success, also where the human has left the page meanwhile. */
  readonly succeeded?: () => void;
  /** Where errors of single fields are shown. */
  readonly form?: Form;
}

/** Corrects a memory, unless it has changed since it was shown. The notification offers to take the correction back. */
export function useCorrect(memory: Editable, done: string, { succeeded, form }: Correcting = {}) {
  return useAction('PATCH /memories/{id}', {
    touches: TOUCHES,
    headers: ifAt(memory.version),
    ...(succeeded && { succeeded }),
    ...(form && { form }),
    done: ({ outcome }) => (outcome === 'unchanged' ? t`It says that already.` : done),
    undo: ({ outcome, memory: changed }) =>
      outcome === 'updated'
        ? {
            run: (call) =>
              call(
                'PATCH /memories/{id}',
                { id: memory.id, ...placeOf(memory), ...changesTo(memory, changed) },
                ifAt(changed.version),
              ),
            done: t`It says again what it said before.`,
          }
        : undefined,
  });
}

function ifAt(version: number): Readonly<Record<string, string>> {
  return { 'If-Match': `"${version}"` };
}

/** Lets a memory hold again that another had superseded. */
export function useHoldAgain(newer: string) {
  return useAction('PATCH /memories/{id}', {
    touches: TOUCHES,
    done: t`It holds again, beside the newer one.`,
    undo: (_answer, input) => ({
      run: (call) => call('PATCH /memories/{id}', { id: newer, ...placeOf(input), supersedes: [input.id] }),
      done: t`The newer one stands in its place again.`,
    }),
  });
}

/** Archives a memory, with the offer to bring it back. */
export function useArchive() {
  return useAction('DELETE /memories/{id}', {
    touches: TOUCHES,
    done: t`The memory is archived.`,
    undo: (_answer, input) => ({
      run: (call) => call('POST /memories/{id}/restore', input),
      done: t`The memory is back.`,
    }),
  });
}

/** Restores an archived memory, with the offer to archive it again. */
export function useRestore() {
  return useAction('POST /memories/{id}/restore', {
    touches: TOUCHES,
    done: t`The memory is back.`,
    undo: (_answer, input) => ({
      run: (call) => call('DELETE /memories/{id}', input),
      done: t`The memory is archived again.`,
    }),
  });
}
