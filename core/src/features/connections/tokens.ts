import { createHash } from 'node:crypto';
import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { type AuditedBy, SERVICE } from '../../kernel/audit/act.ts';
import { appendToAuditLog } from '../../kernel/audit/append.ts';
import type { Services } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { KeyScope } from '../../kernel/contract/fields.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/runtime/durations.ts';
import {
  createSecret,
  deriveToken,
  hashSecret,
  isWellFormedSecret,
} from '../../kernel/tenancy/key-format.ts';
import type { ClientMetadata } from './client-metadata.ts';
import { type ClientRecord, registerClient } from './clients.ts';
import { isResource, scopeNames } from './resource.ts';
import { type ConnectionRow, connections, connectionTokens, type TokenRow } from './schema.ts';

const ACCESS_MS = HOUR_MS;
const REFRESH_MS = 30 * DAY_MS;
const LAST_USED_STEP_MS = 60_000;
/**
 * How long a used refresh token gets the same pair again: an app whose answer was lost tries again, and its processes, which share
 * one token, refresh it at the same time.
 */
const REPEATABLE_MS = MINUTE_MS;

/** An error of the token endpoint (RFC 6749, section 5.2). */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly code: 'invalid_grant' | 'invalid_scope' | 'invalid_target';

  constructor(code: TokenError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Tokens of one connection, shown only here. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
  readonly scope: KeyScope;
}

/** The holder of a valid access token. */
export interface TokenHolder {
  readonly tenantId: string;
  readonly connectionId: string;
  readonly scope: KeyScope;
}

/** What a client shows to get tokens. */
interface Claim {
  readonly clientId: string;
  /** The resource that the tokens shall be for; undefined: the one of the connection. */
  readonly resource?: string | undefined;
}

/** Issues, verifies and ends the tokens of connected apps. */
export interface Connections {
  /** Registers an app that has no metadata document (RFC 7591). */
  registerClient(metadata: ClientMetadata): Promise<ClientRecord>;
  /**
   * Exchanges a code. A code is good for one try; one that is shown again ends its connection.
   *
   * @throws TokenError
   */
  redeemCode(claim: Claim & { code: string; redirectUri: string; verifier: string }): Promise<IssuedTokens>;
  /**
   * Exchanges a refresh token for the next pair. Shown again within a minute it gets the same pair, as long as that is not used
   * up either. Later it was stolen by somebody: its connection ends.
   *
   * @param claim `scope`: at most that of the token; default: the same.
   * @throws TokenError
   */
  refresh(claim: Claim & { token: string; scope?: string | undefined }): Promise<IssuedTokens>;
  /** Ends the connection of a token (RFC 7009). Tokens that are unknown, or another client's, change nothing. */
  revokeToken(token: string, clientId: string): Promise<void>;
  /**
   * Returns the holder of an access token.
   *
   * @param resource The address at which the token is shown, `…/mcp`.
   * @throws SvcError `UNAUTHORIZED` unless it is known, alive, for this address, and its human still has the agent.
   */
  authenticate(token: string, resource: string): Promise<TokenHolder>;
}

export function createConnections(services: Services): Connections {
  return new StoredConnections(services);
}

/** Whether a bearer token has the form of an access token; an API key has not. */
export const isAccessToken = (token: string): boolean => isWellFormedSecret(token, 'svo_');

class StoredConnections implements Connections {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  registerClient(metadata: ClientMetadata): Promise<ClientRecord> {
    return registerClient(this.#services, metadata);
  }

  async redeemCode(claim: Parameters<Connections['redeemCode']>[0]): Promise<IssuedTokens> {
    const { database, clock } = this.#services;
    const codeHash = hashSecret(claim.code);
    // The answer leaves the transaction as a value: an error would take the use of the code back.
    const result = await database.system(async (tx): Promise<IssuedTokens | TokenError> => {
      const now = clock();
      // One statement: of concurrent uses exactly one finds the code unused.
      const [used] = await tx
        .update(connections)
        .set({ codeUsedAt: now })
        .where(and(eq(connections.codeHash, codeHash), isNull(connections.codeUsedAt)))
        .returning();
      if (!used) {
        const [replayed] = await tx.select().from(connections).where(eq(connections.codeHash, codeHash));
        if (replayed) await this.#end(tx, replayed, now);
        return new TokenError('invalid_grant', 'the code is unknown, was used before, or has expired');
      }
      const refusal = refuseCode(used, claim, now);
      if (refusal) {
        await this.#end(tx, used, now);
        return refusal;
      }
      return this.#issue(tx, used, used.scope, now, {
        accessToken: createSecret('svo_'),
        refreshToken: createSecret('svo_'),
      });
    });
    return orThrow(result);
  }

  async refresh(claim: Parameters<Connections['refresh']>[0]): Promise<IssuedTokens> {
    const { database, clock } = this.#services;
    const result = await database.system(async (tx): Promise<IssuedTokens | TokenError> => {
      const now = clock();
      const found = await findToken(tx, claim.token, 'refresh');
      if (!found || found.connection.clientId !== claim.clientId || found.connection.revokedAt) {
        return new TokenError('invalid_grant', 'the refresh token is unknown, or its connection has ended');
      }
      const { connection, token } = found;
      if (token.usedAt) {
        const issued = await issuedFor(tx, claim.token, token, now);
        if (issued) return issued;
        await this.#end(tx, connection, now);
        return new TokenError('invalid_grant', 'the refresh token was used before; the connection has ended');
      }
      if (token.expiresAt <= now) return new TokenError('invalid_grant', 'the refresh token has expired');
      if (claim.resource !== undefined && !isResource(claim.resource, connection.resource)) {
        return new TokenError('invalid_target', 'the connection is for another resource');
      }
      const scope = narrow(token.scope, claim.scope);
      if (!scope)
        return new TokenError('invalid_scope', 'scope must be read or full, and no more than was granted');
      const ofConnection = tokensOf(connection);
      await tx.delete(connectionTokens).where(and(ofConnection, lt(connectionTokens.expiresAt, now)));
      // The pairs of tokens before this one are used up.
      await tx.update(connectionTokens).set({ nextKey: null }).where(ofConnection);
      const nextKey = createSecret('svo_');
      await tx
        .update(connectionTokens)
        .set({ usedAt: now, nextKey })
        .where(eq(connectionTokens.hash, token.hash));
      return this.#issue(tx, connection, scope, now, nextPair(claim.token, nextKey));
    });
    return orThrow(result);
  }

  async revokeToken(text: string, clientId: string): Promise<void> {
    const { database, clock } = this.#services;
    await database.system(async (tx) => {
      const found = await findToken(tx, text);
      if (found?.connection.clientId !== clientId) return;
      const { connection } = found;
      await this.#end(tx, connection, clock(), { kind: 'agent', credentialId: connection.id });
    });
  }

  async authenticate(text: string, resource: string): Promise<TokenHolder> {
    const { database, clock } = this.#services;
    const now = clock();
    const [found] = isAccessToken(text)
      ? await database.system((tx) =>
          rows<{ tenant_id: string; id: string; scope: KeyScope; stale: boolean }>(
            tx,
            // Indexes connection_tokens_hash, connections_pkey, memberships_pkey.
            sql`SELECT c.tenant_id, c.id, t.scope,
                  coalesce(c.last_used_at < ${before(now)}::timestamptz, true) AS stale
                FROM connection_tokens t
                JOIN connections c ON c.tenant_id = t.tenant_id AND c.id = t.connection_id
                JOIN memberships m ON m.tenant_id = c.tenant_id AND m.user_id = c.user_id
                WHERE t.hash = ${hashSecret(text)} AND t.kind = 'access' AND t.expires_at > ${timestamptz(now)}
                  AND c.revoked_at IS NULL AND c.resource = ${resource}`,
          ),
        )
      : [];
    if (!found)
      throw new SvcError(
        'UNAUTHORIZED',
        'The access token is unknown, expired or revoked, or is for another address.',
      );
    const holder = { tenantId: found.tenant_id, connectionId: found.id, scope: found.scope };
    if (found.stale) this.#recordUse(holder, now);
    return holder;
  }

  async #issue(
    tx: Tx,
    connection: ConnectionRow,
    scope: KeyScope,
    now: Date,
    pair: TokenPair,
  ): Promise<IssuedTokens> {
    const { tenantId, id: connectionId } = connection;
    const { accessToken, refreshToken } = pair;
    const refreshEnd = new Date(now.getTime() + REFRESH_MS);
    const common = { tenantId, connectionId, scope };
    await tx.insert(connectionTokens).values([
      {
        ...common,
        kind: 'access',
        hash: hashSecret(accessToken),
        expiresAt: new Date(now.getTime() + ACCESS_MS),
      },
      { ...common, kind: 'refresh', hash: hashSecret(refreshToken), expiresAt: refreshEnd },
    ]);
    await tx.update(connections).set({ expiresAt: refreshEnd }).where(isConnection(connection));
    return { ...pair, expiresInSeconds: ACCESS_MS / 1_000, scope };
  }

  async #end(
    tx: Tx,
    connection: Pick<ConnectionRow, 'tenantId' | 'id'>,
    now: Date,
    by: AuditedBy = SERVICE,
  ): Promise<void> {
    const { tenantId, id } = connection;
    const ended = await tx
      .update(connections)
      .set({ revokedAt: now })
      .where(and(isConnection(connection), isNull(connections.revokedAt)))
      .returning({ id: connections.id });
    await tx.delete(connectionTokens).where(tokensOf(connection));
    if (ended.length === 0) return;
    const touched = { connection_id: id };
    await appendToAuditLog(tx, this.#services, [tenantId], { act: 'connection.revoked', by, touched });
  }

  #recordUse({ tenantId, connectionId }: TokenHolder, now: Date): void {
    const { database, logger } = this.#services;
    database
      .transaction(tenantId, (tx) =>
        tx
          .update(connections)
          .set({ lastUsedAt: now })
          .where(isConnection({ tenantId, id: connectionId })),
      )
      .catch((error: unknown) => logger.warn({ err: error }, 'could not note the use of a connected app'));
  }
}

function refuseCode(
  { clientId, redirectUri, codeChallenge, resource, expiresAt, revokedAt }: ConnectionRow,
  claim: Parameters<Connections['redeemCode']>[0],
  now: Date,
): TokenError | undefined {
  const challenge = createHash('sha256').update(claim.verifier).digest('base64url');
  if (expiresAt <= now || revokedAt || clientId !== claim.clientId) {
    return new TokenError('invalid_grant', 'the code is unknown, was used before, or has expired');
  }
  if (redirectUri !== claim.redirectUri) {
    return new TokenError('invalid_grant', 'redirect_uri is not the one that the code was sent to');
  }
  if (challenge !== codeChallenge)
    return new TokenError('invalid_grant', 'code_verifier does not fit the code');
  if (claim.resource !== undefined && !isResource(claim.resource, resource)) {
    return new TokenError('invalid_target', 'the code is for another resource');
  }
  return undefined;
}

async function findToken(tx: Tx, text: string, kind?: 'refresh') {
  if (!isWellFormedSecret(text, 'svo_')) return undefined;
  const ofKind = kind === undefined ? undefined : eq(connectionTokens.kind, kind);
  // Locked: of concurrent uses of one token the second finds it used.
  const [token] = await tx
    .select()
    .from(connectionTokens)
    .where(and(eq(connectionTokens.hash, hashSecret(text)), ofKind))
    .for('update');
  if (!token) return undefined;
  const { tenantId, connectionId: id } = token;
  const [connection] = await tx.select().from(connections).where(isConnection({ tenantId, id }));
  return connection && { token, connection };
}

function tokensOf({ tenantId, id }: Pick<ConnectionRow, 'tenantId' | 'id'>) {
  return and(eq(connectionTokens.tenantId, tenantId), eq(connectionTokens.connectionId, id));
}

type TokenPair = Pick<IssuedTokens, 'accessToken' | 'refreshToken'>;

/** The pair after a refresh token. It is derived, so that the same can be answered again though only hashes are stored. */
function nextPair(from: string, key: string): TokenPair {
  return {
    accessToken: deriveToken(from, key, 'access'),
    refreshToken: deriveToken(from, key, 'refresh'),
  };
}

/** The pair that a used refresh token was exchanged for; undefined where it cannot be answered again. */
async function issuedFor(
  tx: Tx,
  shown: string,
  { usedAt, nextKey }: TokenRow,
  now: Date,
): Promise<IssuedTokens | undefined> {
  if (!usedAt || nextKey === null || now.getTime() - usedAt.getTime() > REPEATABLE_MS) return undefined;
  const pair = nextPair(shown, nextKey);
  const hashOf = { access: hashSecret(pair.accessToken), refresh: hashSecret(pair.refreshToken) };
  const found = await tx
    .select()
    .from(connectionTokens)
    .where(inArray(connectionTokens.hash, [hashOf.access, hashOf.refresh]));
  const access = found.find(({ hash }) => hash === hashOf.access);
  const refresh = found.find(({ hash }) => hash === hashOf.refresh);
  if (!access || !refresh) return undefined;
  const leftMs = access.expiresAt.getTime() - now.getTime();
  return { ...pair, expiresInSeconds: Math.floor(leftMs / 1_000), scope: refresh.scope };
}

function isConnection({ tenantId, id }: Pick<ConnectionRow, 'tenantId' | 'id'>) {
  return and(eq(connections.tenantId, tenantId), eq(connections.id, id));
}

/** The scope that a client asks for on a refresh; undefined where it may not have it. */
function narrow(granted: KeyScope, wanted: string | undefined): KeyScope | undefined {
  const names = scopeNames(wanted);
  if (names.length === 0) return granted;
  if (names.some((name) => name !== 'read' && name !== 'full')) return undefined;
  if (!names.includes('full')) return 'read';
  return granted === 'full' ? 'full' : undefined;
}

function orThrow(result: IssuedTokens | TokenError): IssuedTokens {
  if (result instanceof TokenError) throw result;
  return result;
}

function before(now: Date): string {
  return new Date(now.getTime() - LAST_USED_STEP_MS).toISOString();
}
