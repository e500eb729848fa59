import type { RequestOf } from '../api/call.ts';

type AuthorizationRequest = RequestOf<'POST /connections/request'>;

const NAMES = [
  ...(['client_id', 'redirect_uri', 'response_type', 'code_challenge', 'code_challenge_method'] as const),
  ...(['scope', 'state', 'resource'] as const),
];

/**
 * Reads the parameters of an authorization request from the address. Parameters that we do not know are left out, as
 * RFC 6749 wants it.
 *
 * @returns undefined where one is given twice, or one that every request has is missing: nobody can say what was meant.
 */
export function readAuthorizationRequest(search: string): AuthorizationRequest | undefined {
  const query = new URLSearchParams(search);
  if (NAMES.some((name) => query.getAll(name).length > 1)) return undefined;
  const given = Object.fromEntries(
    NAMES.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])),
  );
  const { client_id, redirect_uri } = given;
  return client_id && redirect_uri ? { ...given, client_id, redirect_uri } : undefined;
}
