import { defineFeature } from '../../kernel/feature.ts';
import {
  memberships,
  userLogins,
  userSessions,
  users,
  userVerifications,
  walletChallenges,
  wallets,
} from './schema.ts';

export const accountsFeature = defineFeature({
  name: 'accounts',
  routes: {},
  operations: {},
  tables: [users, userSessions, userLogins, userVerifications, memberships, wallets, walletChallenges],
});
