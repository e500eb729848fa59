import { type LookupAddress, lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { promisify } from 'node:util';

/** Finds the addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

const TIMEOUT_MS = 5_000;
const TRIES = 2;
/** Most names that wait for the system's look-up. */
const MOST_WAITING = 8;

interface ResolveOptions {
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
}

/** The name has no such record, or there is no DNS server: it may be a name of this machine or network. */
const NOT_IN_DNS = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'];

/**
 * Makes a resolver of host names that others choose. It asks the DNS servers itself: the system's look-up occupies a thread for as
 * long as a server is silent, of which Node has two for all look-ups of the process, so a few such names would keep the service
 * from reaching anything. Only what is not in the DNS, as a name in the hosts file, is looked up by the system, one name at a time.
 *
 * @param options.servers Addresses of DNS servers; default: the system's.
 * @param options.timeoutMs Milliseconds that the first of two tries may take; default 5,000.
 */
export function createResolve({ servers, timeoutMs = TIMEOUT_MS }: ResolveOptions = {}): Resolve {
  const lookUp = createSystemLookup();
  return async (host) => {
    // A new one each time, as the servers of the system may change, and each reads them once.
    const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const asked = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = asked.flatMap((answer, place) =>
      answer.status === 'fulfilled'
        ? answer.value.map((address): LookupAddress => ({ address, family: place === 0 ? 4 : 6 }))
        : [],
    );
    if (found.length > 0) return found;
    const isInDns = asked.some(
      (answer) => answer.status === 'rejected' && !NOT_IN_DNS.includes(answer.reason.code),
    );
    if (isInDns) throw notNow();
    return lookUp(host);
  };
}

/** The system's look-up, one name at a time. */
function createSystemLookup(): Resolve {
  const lookupAll = promisify(lookup);
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (host) => {
    if (waiting >= MOST_WAITING) throw notNow();
    waiting += 1;
    const looked = last.then(() => lookupAll(host, { all: true, verbatim: true }));
    last = looked
      .catch(() => {})
      .finally(() => {
        waiting -= 1;
      });
    return await looked;
  };
}

function notNow(): Error {
  return Object.assign(new Error('the host name could not be looked up'), { code: 'EAI_AGAIN' });
}
