import { t } from '@lingui/core/macro';
import { useAction } from '../api/hooks.ts';
import type { DueItem, WorkItem } from './agenda-data.ts';

const TOUCHES = ['agenda', 'boot'] as const;

/** Returns what finishes a date or a work in progress, with a notification that takes it back. */
export function useItemDone() {
  const date = useAction('PATCH /schedule/{id}', {
    touches: TOUCHES,
    done: t`Done. Your agent is not reminded of it any more.`,
    undo: ({ item }) => ({
      run: (call) => call('PATCH /schedule/{id}', { id: item.id, status: 'scheduled' }),
      done: t`It is scheduled again.`,
    }),
  });
  const work = useAction('PATCH /wip/{id}', {
    touches: TOUCHES,
    done: t`Done. It is out of what the agent works on.`,
    undo: ({ item }) => ({
      run: (call) => call('PATCH /wip/{id}', { id: item.id, status: 'open' }),
      done: t`It is open again.`,
    }),
  });
  return {
    finishDate: ({ id }: DueItem) => date.mutate({ id, status: 'done' }),
    finishWork: ({ id }: WorkItem) => work.mutate({ id, status: 'done' }),
  };
}
