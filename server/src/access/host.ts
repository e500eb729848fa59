import { invalid, SvcError } from '@svc-memory/core/contract';
import type { Request, RequestHandler } from 'express';

const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|::1)$/i;

/** True for names and addresses that only this machine itself can reach. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** What proxies add to a request that they pass on. */
const OF_PROXIES = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/**
 * Whether a request came from this machine itself. A proxy on it passes on the calls of others. Some do so without a word, as
 * nginx and HAProxy by default: HAProxy leaves the host name that was asked for, nginx speaks HTTP/1.0.
 */
export function isFromThisMachine({ socket, headers, httpVersion }: Request): boolean {
  const peer = addressOf(socket.remoteAddress);
  const own = addressOf(socket.localAddress);
  const name = hostName(headers.host ?? '').replace(/^\[|\]$/g, '');
  return (
    (isLoopback(peer) || peer === own) &&
    (isLoopback(name) || name === own) &&
    httpVersion !== '1.0' &&
    OF_PROXIES.every((header) => headers[header] === undefined)
  );
}

function addressOf(address = ''): string {
  return address.replace(/^::ffff:/, '');
}

/**
 * Refuses requests without `Host` or with more than one (RFC 9112, 3.2), of which a proxy may believe another one, and those for
 * foreign host names while the service listens on the loopback interface only: a web page whose name was rebound to 127.0.0.1 sends
 * its own name (DNS rebinding).
 *
 * @param host Address the service listens on; a public one switches the check off.
 * @param publicUrl Address whose host is accepted too.
 */
export function checkHost(host: string, publicUrl?: string): RequestHandler {
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  const bound = isLoopback(host);
  return (request, _response, next) => {
    const hosts = countHosts(request);
    if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1'))
      throw invalid('Host', 'must be one header');
    const name = hostName(request.headers.host ?? '');
    if (!bound || isLoopback(name) || name === publicHost) next();
    else
      throw new SvcError(
        'FORBIDDEN',
        'This host name is not served here. Set SVC_PUBLIC_URL to the address clients use.',
      );
  };
}

/** Node keeps the first only. */
function countHosts({ rawHeaders }: Request): number {
  return rawHeaders.filter((text, place) => place % 2 === 0 && text.toLowerCase() === 'host').length;
}

function hostName(header: string): string {
  return header.toLowerCase().replace(/:\d+$/, '');
}
