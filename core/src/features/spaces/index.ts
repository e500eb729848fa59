import type { Context } from '../../kernel/context/context.ts';
import type { ParsedOf } from '../../kernel/contract/route.ts';
import { defineFeature } from '../../kernel/feature.ts';
import { MINUTE_MS } from '../../kernel/runtime/durations.ts';
import { approveChange, rejectChange } from '../guardian/decide.ts';
import { guardianQueue } from '../guardian/queue.ts';
import { spaceRoutes } from './contract.ts';
import { createSpace, deleteSpace, finishDeletions, listSpaces, readSpace, renameSpace } from './manage.ts';
import { removeSpaceMember, setSpaceMember } from './members.ts';

export const spacesFeature = defineFeature({
  name: 'spaces',
  routes: spaceRoutes,
  operations: {
    createSpace,
    spaces: listSpaces,
    space: readSpace,
    renameSpace,
    deleteSpace,
    setSpaceMember,
    removeSpaceMember,
    // The call works in the space's tenant, so these are the Guardian's own.
    spaceGuardianQueue: (context: Context, input: ParsedOf<typeof spaceRoutes.spaceGuardianQueue>) =>
      guardianQueue(context, input),
    approveSpaceChange: (context: Context, input: ParsedOf<typeof spaceRoutes.approveSpaceChange>) =>
      approveChange(context, input),
    rejectSpaceChange: (context: Context, input: ParsedOf<typeof spaceRoutes.rejectSpaceChange>) =>
      rejectChange(context, input),
  },
  events: ['space.created', 'space.deleted', 'space.member_changed', 'space.member_removed'],
  acts: {
    'space.created': 'account',
    'space.renamed': 'account',
    'space.deleted': 'account',
    'space_right.given': 'account',
    'space_right.taken': 'account',
  },
  tasks: () => [{ name: 'spaces.finish-deletions', everyMs: 10 * MINUTE_MS, run: finishDeletions }],
});
