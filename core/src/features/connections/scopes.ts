/** Scopes that clients add out of habit; they get nothing by them. */
const IGNORED_SCOPES = ['offline_access', 'openid', 'profile', 'email'];

/** The names in a list of scopes (RFC 6749, section 3.3) that mean something here, or are unknown. */
export function scopeNames(scope = ''): string[] {
  return scope.split(' ').filter((name) => name !== '' && !IGNORED_SCOPES.includes(name));
}
