import { t } from '@lingui/core/macro';
import type { AnswerOf } from '../api/call.ts';
import { type Form, useAction } from '../api/hooks.ts';

export type Right = AnswerOf<'GET /spaces'>['spaces'][number]['right'];

/** What a member may do, in the words of a human. */
export const RIGHTS: { value: Right; label: string }[] = [
  { value: 'read', label: t`Reads` },
  { value: 'write', label: t`Reads and writes` },
  { value: 'manage', label: t`Manages` },
];

/**
 * Gives an agent a right in a space. The notification gives it the right `before` again, or takes it out where it had none.
 *
 * @param form Where errors of single fields are shown.
 */
export function useSetMember(space: string, before: Right | undefined, form?: Form) {
  return useAction('POST /spaces/{space_id}/members/{tenant_id}', {
    ...(form && { form }),
    touches: ['spaces', 'memories', 'audit'],
    done: before === undefined ? t`It is a member now.` : t`It has another right now.`,
    undo: (_answer, { tenant_id }) => {
      const member = { space_id: space, tenant_id };
      return before === undefined
        ? {
            run: (call) => call('DELETE /spaces/{space_id}/members/{tenant_id}', member),
            done: t`It is out of the space again.`,
          }
        : {
            run: (call) => call('POST /spaces/{space_id}/members/{tenant_id}', { ...member, right: before }),
            done: t`It has the right it had before.`,
          };
    },
  });
}
