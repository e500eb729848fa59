import { userInfo } from 'node:os';
import type { Engine, TenantRecord } from '@svc-memory/core';
import type { Credentials } from '@svc-memory/hooks';
import type { Config } from '../../../config/config.ts';
import { savedCredentials, writeCredentials } from '../../access/credentials.ts';

/** How the owner of an embedded service reaches it; `apiKey` only where it was made just now. */
export type LocalAccess =
  | { readonly outcome: 'created' | 'replaced'; readonly apiKey: string }
  | { readonly outcome: 'kept' };

/**
 * Ensures that an embedded service has a tenant and that `credentials.json` holds its address and a valid key. The first
 * start creates both; a later start creates a key only where the file is lost or its key is invalid.
 */
export async function ensureLocalAccess(
  engine: Engine,
  config: Config,
  apiUrl: string,
): Promise<LocalAccess> {
  const [tenant] = await engine.tenants.list();
  const present = savedCredentials(config.dataDir);
  if (tenant && present && (await works(engine, present))) {
    if (present.apiUrl !== apiUrl) writeCredentials(config.dataDir, { ...present, apiUrl });
    return { outcome: 'kept' };
  }
  const owner: TenantRecord =
    tenant ?? (await engine.tenants.create({ displayName: agentName(), plan: 'local' }));
  const { secret } = await engine.apiKeys.create(owner.id, { name: 'credentials.json', scope: 'full' });
  writeCredentials(config.dataDir, { apiUrl, apiKey: secret });
  return { outcome: tenant ? 'replaced' : 'created', apiKey: secret };
}

async function works(engine: Engine, { apiKey }: Credentials): Promise<boolean> {
  return engine.apiKeys.authenticate(apiKey).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'UNAUTHORIZED') return false;
      throw error;
    },
  );
}

function agentName(): string {
  const name = userName();
  return name === undefined ? 'My agent' : `${name}'s agent`;
}

/** Name of the user who runs the service. */
export function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user id that has no name.
    return undefined;
  }
}
