const MCP_PATH = '/mcp';

/** The address that tokens of this service are for (their audience), by the address a caller reached the service at. */
export function resourceOf(serviceUrl: string): string {
  return `${canonical(serviceUrl)}${MCP_PATH}`;
}

/** Whether what a client names as its resource (RFC 8707) is this service: its MCP endpoint, or the service itself. */
export function isResource(named: string, resource: string): boolean {
  if (!URL.canParse(named) || named.includes('#')) return false;
  const text = canonical(named);
  return text === resource || `${text}${MCP_PATH}` === resource;
}

/** Scheme and host in lower case, without a default port and without a slash at the end. */
function canonical(address: string): string {
  const { href } = new URL(address);
  return href.replace(/\/+$/, '');
}

/** Scopes that clients add out of habit; they get nothing by them. */
const IGNORED_SCOPES = ['offline_access', 'openid', 'profile', 'email'];

/** The names in a list of scopes (RFC 6749, section 3.3) that mean something here, or are unknown. */
export function scopeNames(scope = ''): string[] {
  return scope.split(' ').filter((name) => name !== '' && !IGNORED_SCOPES.includes(name));
}
