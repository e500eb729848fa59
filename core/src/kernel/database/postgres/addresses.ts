const CONNECTION_URI = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/;

/**
 * The address of each host that a connection URI names. Several are written as libpq takes them:
 * `postgres://user:password@host1:5432,host2:5432/database`.
 */
export function addressesOf(url: string): string[] {
  const [, start, hosts = '', end] = CONNECTION_URI.exec(url) ?? [];
  return start === undefined ? [url] : hosts.split(',').map((host) => `${start}${host}${end}`);
}

const UNVERIFIED = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

/**
 * Says `verify-full` for the modes of TLS that the driver takes for it. It warns at each of them that a later version will not, and
 * hosts write `sslmode=require` into the addresses that they give. `uselibpqcompat=true` asks for what libpq does.
 */
export function verifiedAddress(address: string): string {
  return /[?&]uselibpqcompat=true(?=&|$)/.test(address)
    ? address
    : address.replace(UNVERIFIED, '$1verify-full');
}
