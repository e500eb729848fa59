import { and, desc, eq, gt, isNotNull, isNull, lt } from 'drizzle-orm';
import type { z } from 'zod';
import type { Operation } from '../../kernel/context/context.ts';
import { invalid, SvcError } from '../../kernel/contract/errors.ts';
import { lockName } from '../../kernel/database/lock-name.ts';
import { MINUTE_MS } from '../../kernel/runtime/durations.ts';
import { createSecret, hashSecret } from '../../kernel/tenancy/key-format.ts';
import { checkAuthorizationRequest } from './authorization-request.ts';
import { documentUrl } from './client-metadata.ts';
import type { connectionRoutes } from './contract.ts';
import { destinationOf } from './redirect-uri.ts';
import { revokeConnections } from './revoke.ts';
import { type ConnectionRow, connections } from './schema.ts';

const CODE_MS = 5 * MINUTE_MS;
const MAX_ACTIVE = 100;

type Shown = z.output<typeof connectionRoutes.revokeConnection.response>['connection'];

/** Reads what an app asks for. */
export const readAuthorization: Operation<typeof connectionRoutes.readAuthorization> = async (
  context,
  request,
) => {
  const { client, scope, problem, answerUrl } = await checkAuthorizationRequest(context, request);
  const { host, isLocal } = destinationOf(request.redirect_uri);
  return {
    app: presentApp(client.id, client.name),
    redirect_host: host,
    redirect_is_local: isLocal,
    scope,
    ...(problem ? { problem: problem.description } : {}),
    decline_url: answerUrl(
      problem
        ? { error: problem.error, error_description: problem.description }
        : { error: 'access_denied', error_description: 'The human said no' },
    ),
  };
};

/** Lets an app in. */
export const approveAuthorization: Operation<typeof connectionRoutes.approveAuthorization> = async (
  context,
  { grant, ...request },
) => {
  const { client, scope, resource, problem, answerUrl } = await checkAuthorizationRequest(context, request);
  if (problem) throw invalid('request', problem.description);
  if (grant === 'full' && scope === 'read') throw invalid('grant', 'must be read: the app asks for no more');
  const { tenantId, now, actor, ids } = context;
  if (actor.credentialId === null) throw new TypeError('a human decides this');
  const code = createSecret('svo_');
  const id = ids();
  await context.write(async (tx) => {
    // One of a tenant at a time, because they are counted.
    await lockName(tx, tenantId, 'connections');
    const ofTenant = eq(connections.tenantId, tenantId);
    // Codes that nobody has used.
    await tx
      .delete(connections)
      .where(and(ofTenant, isNull(connections.codeUsedAt), lt(connections.expiresAt, now)));
    const active = await tx.$count(
      connections,
      and(ofTenant, isNull(connections.revokedAt), gt(connections.expiresAt, now)),
    );
    if (active >= MAX_ACTIVE) {
      throw new SvcError(
        'CONFLICT',
        `There are ${MAX_ACTIVE} connected apps, the most there can be. Disconnect one.`,
      );
    }
    await tx.insert(connections).values({
      tenantId,
      id,
      userId: actor.credentialId as string,
      clientId: client.id,
      clientName: client.name,
      scope: grant,
      resource,
      redirectUri: request.redirect_uri,
      codeHash: hashSecret(code),
      codeChallenge: request.code_challenge ?? '',
      createdAt: now,
      expiresAt: new Date(now.getTime() + CODE_MS),
    });
    await context.audit(tx, 'connection.approved', { connection_id: id, scope: grant });
  });
  return { outcome: 'created', redirect_url: answerUrl({ code }) };
};

/** Lists the apps that are let in. */
export const listConnections: Operation<typeof connectionRoutes.connections> = async (context) => {
  const found = await context.read((tx) =>
    tx
      .select()
      .from(connections)
      .where(
        and(
          eq(connections.tenantId, context.tenantId),
          isNotNull(connections.codeUsedAt),
          isNull(connections.revokedAt),
          gt(connections.expiresAt, context.now),
        ),
      )
      .orderBy(desc(connections.createdAt), desc(connections.id))
      .limit(MAX_ACTIVE),
  );
  return { connections: found.map(present) };
};

/** Shuts an app out. */
export const revokeConnection: Operation<typeof connectionRoutes.revokeConnection> = (context, { id }) =>
  context.write(async (tx) => {
    const { tenantId, now } = context;
    const which = eq(connections.id, id);
    const revoked = await revokeConnections(tx, { tenantId, which, now });
    const [connection] = await tx
      .select()
      .from(connections)
      .where(and(eq(connections.tenantId, tenantId), which));
    if (!connection) throw new SvcError('NOT_FOUND', 'There is no connected app with this id.');
    if (revoked.length > 0) await context.audit(tx, 'connection.revoked', { connection_id: id });
    return { connection: present(connection) };
  });

function present(row: ConnectionRow): Shown {
  return {
    id: row.id,
    app: presentApp(row.clientId, row.clientName),
    scope: row.scope,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    expires_at: row.expiresAt.toISOString(),
  };
}

function presentApp(clientId: string, name: string): Shown['app'] {
  return { client_id: clientId, name, host: documentUrl(clientId)?.host ?? null };
}
