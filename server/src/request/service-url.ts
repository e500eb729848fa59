import type { Request } from 'express';

const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * The address at which a caller reached the service: the public one where it is set, else the host that the request names, a
 * forwarded one from trusted proxies only. Undefined where the host is no name or address.
 */
export function serviceUrlOf(request: Request, publicUrl: string | undefined): string | undefined {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  const { host, protocol } = request;
  const url = `${protocol}://${host}`;
  // What looks like a host may be none, as 300.1.1.1 and a:99999.
  return host !== undefined && HOST.test(host) && URL.canParse(url) ? url : undefined;
}
