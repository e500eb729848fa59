const CONNECTION_URI = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/;

/**
 * The address of each host that a connection URI names. Several are written as libpq takes them:
 * `postgres://user:password@host1:5432,host2:5432/database`.
 */
export function addressesOf(url: string): string[] {
  const [, start, hosts = '', end] = CONNECTION_URI.exec(url) ?? [];
  return start === undefined ? [url] : hosts.split(',').map((host) => `${start}${host}${end}`);
}
