const HOST = /^https?:\/\/[^/?]*/i;

/**
 * The path of a request target as the router matches it: without the host that a proxy may write before it, the query, and a slash
 * at the end.
 */
export function pathOf(target = ''): string {
  const [path = ''] = target.replace(HOST, '').split('?', 1);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
