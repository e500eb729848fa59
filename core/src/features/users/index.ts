import { defineFeature } from '../../kernel/feature.ts';
import { userRoutes } from './contract.ts';
import { finishErasures, forgetUser, readErasure } from './forget.ts';
import { listUsers } from './list.ts';
import { erasures } from './schema.ts';

const MINUTE = 60_000;

export const usersFeature = defineFeature({
  name: 'users',
  routes: userRoutes,
  operations: {
    users: listUsers,
    forgetUser,
    erasure: readErasure,
  },
  acts: { 'user.forgotten': 'account' },
  tables: [erasures],
  tasks: () => [{ name: 'users.finish-erasures', everyMs: 10 * MINUTE, run: finishErasures }],
});
