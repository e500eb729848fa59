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
  acts: {
    'sign_in.succeeded': 'account',
    'sign_in.failed': 'account',
    'password.changed': 'account',
    'session.ended': 'account',
    'agent.given': 'account',
    'agent.taken': 'account',
  },
  tables: [users, userSessions, userLogins, userVerifications, memberships, wallets, walletChallenges],
});
