import { SvcError } from '../contract/errors.ts';
import type { Route } from '../contract/route.ts';
import type { Actor } from './call.ts';

/**
 * Checks that a caller may use a route. A caller in the same process, who has no credential, may use every route except
 * those on which a human decides.
 *
 * @throws SvcError `FORBIDDEN` where the route needs another kind of credential, or a key of scope full.
 */
export function requireAccess(
  { access, humanDecides }: Pick<Route, 'access' | 'humanDecides'>,
  { source, credentialId, readOnly = false }: Actor,
): void {
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
