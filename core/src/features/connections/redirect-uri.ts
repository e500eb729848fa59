const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/**
 * Schemes without a dot that programs on a human's machine answer to. Other schemes need a dot, as RFC 8252 asks for:
 * among those without one are some that run code or open files (`javascript:`, `data:`, `file:`, `ms-msdt:`).
 */
const EDITORS = ['claude', 'code-oss', 'cursor', 'vscode', 'vscode-insiders', 'vscodium', 'windsurf', 'zed'];

/** What is wrong with an address that an app wants to be answered at; undefined where it may have it. */
export function redirectUriProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be an absolute address';
  // What the parser would mend, browsers and apps read differently.
  if (/[\s\p{Cc}\\]/u.test(text)) return 'must not contain white space, control characters or backslashes';
  const url = new URL(text);
  if (text.includes('#')) return 'must not have a fragment (#…)';
  if (url.username !== '' || url.password !== '') return 'must not hold a user or password';
  const scheme = url.protocol.slice(0, -1);
  if (scheme === 'https') return undefined;
  if (scheme === 'http') {
    return LOOPBACK.includes(url.hostname) ? undefined : 'must be https, or http on this machine (127.0.0.1)';
  }
  const isPrivateUse = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+$/.test(scheme) || EDITORS.includes(scheme);
  return isPrivateUse
    ? undefined
    : 'must be https, http on this machine, or a scheme such as com.example.app';
}

/**
 * Whether an address is among those an app registered: the very same text. Only the port of a loopback address may
 * differ, since programs take the one that is free (RFC 8252).
 */
export function isRegistered(redirectUri: string, registered: readonly string[]): boolean {
  if (redirectUriProblem(redirectUri) !== undefined) return false;
  return registered.some((one) => one === redirectUri || withoutPort(one) === withoutPort(redirectUri));
}

/** Host, or scheme without one, that an address leads to, and whether that is a program on the human's own machine. */
export function destinationOf(redirectUri: string): { readonly host: string; readonly isLocal: boolean } {
  const url = new URL(redirectUri);
  if (url.protocol === 'https:') return { host: url.host, isLocal: false };
  return { host: url.protocol === 'http:' ? url.host : url.protocol, isLocal: true };
}

function withoutPort(text: string): string {
  const url = new URL(text);
  const isLocal = url.protocol === 'http:' && LOOPBACK.includes(url.hostname);
  return isLocal ? text.replace(/^(http:\/\/(?:\[::1\]|[^/:?]+)):\d+/i, '$1') : text;
}
