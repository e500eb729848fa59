import { defineFeature } from '../../kernel/feature.ts';
import { MINUTE_MS } from '../../kernel/runtime/durations.ts';
import { userRoutes } from './contract.ts';
import { finishErasures, forgetUser, readErasure } from './forget.ts';
import { listUsers } from './list.ts';

export const usersFeature = defineFeature({
  name: 'users',
  routes: userRoutes,
  operations: {
    users: listUsers,
    forgetUser,
    erasure: readErasure,
  },
  acts: { 'user.forgotten': 'account' },
  tasks: () => [{ name: 'users.finish-erasures', everyMs: 10 * MINUTE_MS, run: finishErasures }],
});
