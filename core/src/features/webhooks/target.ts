import type { LookupAddress } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { createResolve, type Resolve } from './resolve.ts';

/** Rules for the addresses that events may be sent to. */
export interface TargetPolicy {
  /** Also allows http, loopback and private networks. Link-local addresses and metadata services stay refused. */
  readonly allowPrivate: boolean;
  readonly resolve: Resolve;
}

/** Thrown for a target that is not allowed. The message gives the reason and contains no resolved address. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

/** Resolves by the DNS servers of the system. One for the whole process, whose threads it spares. */
export const systemResolve: Resolve = createResolve();

const LOWEST_FREE_PORT = 1_024;
const PRIVATE_RANGES = ['private', 'loopback', 'uniqueLocal', 'carrierGradeNat'];
/** Metadata services whose addresses are not link-local: of Azure, Alibaba, AWS (also of its containers) and Google. */
const METADATA = ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254'];
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Parses the URL of a target. `URL` normalises decimal, octal and short forms of an IP address.
 *
 * @throws TargetError for a URL that is never allowed.
 */
export function parseTarget(text: string, { allowPrivate }: Pick<TargetPolicy, 'allowPrivate'>): URL {
  if (!URL.canParse(text)) throw new TargetError('must be an address such as https://example.com/events');
  const url = new URL(text);
  const { protocol, port } = url;
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:')) {
    throw new TargetError('must be an https address');
  }
  if (url.username !== '' || url.password !== '') throw new TargetError('must not hold a user or password');
  if (url.hash !== '') throw new TargetError('must not hold a fragment (#…)');
  if (port !== '' && port !== '80' && port !== '443' && Number(port) < LOWEST_FREE_PORT) {
    throw new TargetError('must use port 443 or one above 1023');
  }
  return url;
}

/**
 * Resolves a host and checks every address, so that a name with one allowed and one forbidden address is refused.
 *
 * @throws TargetError when an address is not allowed; the resolver's error when the name does not resolve.
 */
export async function resolveTarget(host: string, policy: TargetPolicy): Promise<readonly LookupAddress[]> {
  const literal = host.replace(/^\[|\]$/g, '');
  const addresses = ipaddr.isValid(literal)
    ? [{ address: literal, family: literal.includes(':') ? 6 : 4 }]
    : await policy.resolve(literal);
  if (addresses.length === 0) throw new TargetError('has no address');
  for (const { address } of addresses) {
    if (!isAllowedAddress(address, policy.allowPrivate)) throw new TargetError('is not a public address');
  }
  return addresses;
}

/** Whether events may be sent to an address. An IPv6 address that embeds an IPv4 one (mapped, NAT64) counts as that. */
export function isAllowedAddress(text: string, allowPrivate: boolean): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = unwrap(ipaddr.process(text));
  const range = address.range();
  if (METADATA.includes(address.toString())) return false;
  if (allowPrivate && PRIVATE_RANGES.includes(range)) return true;
  if (range !== 'unicast') return false;
  // Outside 2000::/3 nothing is global, whatever the name of its range (`::7f00:1` is 127.0.0.1 in an old notation).
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

/** Extracts the IPv4 address of a NAT64 one. 6to4 and Teredo are out of use, and refused altogether. */
function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address instanceof ipaddr.IPv4 || !address.match(NAT64)) return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(12));
}

/** Whether the host of a URL is an address itself, which no connection looks up. */
export function isLiteralAddress({ hostname }: URL): boolean {
  return /^\[|^[\d.]+$/.test(hostname);
}

interface TargetRequest {
  /** Default: GET. */
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** Default: none. */
  readonly body?: string;
  /** Ends the request, and the response while it is being read. */
  readonly signal: AbortSignal;
}

/**
 * Sends a request to a URL that `parseTarget` has allowed. The connection's own look-up checks the addresses, which prevents DNS
 * rebinding. Redirects are not followed.
 *
 * @returns the response, whose body is still to be read; whoever leaves it unread destroys it.
 * @throws TargetError when an address is not allowed; otherwise the error of the connection.
 */
export async function requestTarget(
  url: URL,
  { method = 'GET', headers, body, signal }: TargetRequest,
  policy: TargetPolicy,
): Promise<IncomingMessage> {
  if (isLiteralAddress(url)) await resolveTarget(url.hostname, policy);
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method,
      headers,
      lookup: checkedLookup(policy),
      // No connection reuse: a kept-alive connection would skip the check.
      agent: false,
      signal,
    });
    request.once('response', resolve);
    // Kept after the response: a later error must not end the process.
    request.on('error', reject);
    // The connection ended without a response.
    request.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    request.end(body);
  });
}

/** A `lookup` for connections that checks the addresses it returns: a name may resolve differently than before. */
function checkedLookup(policy: TargetPolicy): LookupFunction {
  return (host, options, done) => {
    resolveTarget(host, policy).then(
      (addresses) => {
        const { family } = options;
        const wanted = addresses.filter(
          (one) => typeof family !== 'number' || family === 0 || one.family === family,
        );
        const [first] = wanted;
        if (options.all) done(null, [...wanted]);
        else if (first) done(null, first.address, first.family);
        else done(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0);
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    );
  };
}
