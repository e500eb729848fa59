import { defineFeature } from '../../kernel/feature.ts';
import { connectionRoutes } from './contract.ts';
import { approveAuthorization, listConnections, readAuthorization, revokeConnection } from './operations.ts';
import { endConnections } from './revoke.ts';
import { connections, connectionTokens, oauthClients } from './schema.ts';

export const connectionsFeature = defineFeature({
  name: 'connections',
  routes: connectionRoutes,
  operations: { readAuthorization, approveAuthorization, connections: listConnections, revokeConnection },
  acts: { 'connection.approved': 'account', 'connection.revoked': 'account' },
  agentTaken: endConnections,
  tables: [oauthClients, connections, connectionTokens],
});
