import type { ImportSources } from '@svc-memory/core';
import { systemResolve, type TargetPolicy } from '@svc-memory/core/server';
import { fetchGit } from './git.ts';
import { fetchS3 } from './s3.ts';

/**
 * Fetches imports over the network, never from private networks unless allowed.
 *
 * @param policy `allowPrivate`: also http and private addresses. Default: neither, and the system's resolver.
 */
export function createImportSources(policy: Partial<TargetPolicy> = {}): ImportSources {
  const inForce: TargetPolicy = { allowPrivate: false, resolve: systemResolve, ...policy };
  return {
    git: (source, signal) => fetchGit(source, inForce, signal),
    s3: (source, signal) => fetchS3(source, inForce, signal),
  };
}
