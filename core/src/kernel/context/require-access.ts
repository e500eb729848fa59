import { SvcError } from '../contract/errors.ts';
import type { Route } from '../contract/route.ts';
import type { Actor } from './call.ts';

/**
 * Checks that a caller may use a route. A caller in the same process, who has no credential, may use every route except
 * those on which a human decides.
 *
 * @throws SvcError `FORBIDDEN` where the route needs another kind of credential, a key of scope full, or one that is bound to no
 *   user.
 */
export function requireAccess(
  { access, humanDecides, users }: Pick<Route, 'access' | 'humanDecides' | 'users'>,
  { source, credentialId, readOnly = false, boundTo }: Actor,
): void {
  if (boundTo !== undefined && users === undefined) {
    throw new SvcError(
      'FORBIDDEN',
      'This API key is bound to one user, and this is about the agent. Use a key of the agent.',
    );
  }
  const inProcess = credentialId === null;
  if (source !== 'human' && (inProcess ? humanDecides === true : access === 'human')) {
    throw humanOnly();
  }
  if (inProcess) return;
  if (source === 'human' && (access === 'agent' || access === 'session')) {
    throw new SvcError('FORBIDDEN', 'Only the agent may do this, with its API key.');
  }
  if (readOnly && access !== 'public' && access !== 'read') {
    throw new SvcError('FORBIDDEN', 'This API key may only read. Use a key of scope full.');
  }
}

/** The error for everyone but the human. */
export function humanOnly(): SvcError {
  return new SvcError(
    'FORBIDDEN',
    'Only the human may do this, signed in to the dashboard; an API key may not.',
  );
}
