import { defineFeature } from '../../kernel/feature.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-key-operations.ts';
import { apiKeyRoutes, sessionRoutes, statusRoutes } from './contract.ts';
import { sessionKey } from './session-key-operation.ts';
import { renameTenant, status } from './status.ts';

export const tenantFeature = defineFeature({
  name: 'tenant',
  routes: { ...statusRoutes, ...apiKeyRoutes, ...sessionRoutes },
  operations: {
    status,
    renameTenant,
    apiKeys: listApiKeys,
    createApiKey,
    rotateApiKey,
    revokeApiKey,
    sessionKey,
  },
  events: ['billing.threshold'],
  acts: {
    'agent.created': 'account',
    'agent.renamed': 'account',
    'agent.plan_changed': 'account',
    'api_key.created': 'account',
    'api_key.rotated': 'account',
    'api_key.revoked': 'account',
  },
});
