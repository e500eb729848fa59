import { isIPv6 } from 'node:net';
import type { Request } from 'express';

const IPV4_MAPPED = /^::ffff:([\d.]+)$/i;

/**
 * Who calls, for limits of those without a credential: the address, or of IPv6 its network (/64), since a client has all the
 * addresses of one.
 */
export function clientOf({ ip = 'unknown' }: Request): string {
  const [address = ''] = ip.split('%');
  const [, mapped] = IPV4_MAPPED.exec(address) ?? [];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? ip;
  const [start = [], end] = address.split('::').map((groups) => (groups === '' ? [] : groups.split(':')));
  const zeros = end ? Array<string>(8 - start.length - end.length).fill('0') : [];
  return `${[...start, ...zeros, ...(end ?? [])].slice(0, 4).join(':')}::/64`;
}
