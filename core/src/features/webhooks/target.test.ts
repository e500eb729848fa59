import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf, post } from './post.ts';
import { type Receiver, startReceiver } from './receiver.fixture.ts';
import type { Resolve } from './resolve.ts';
import { isAllowedAddress, parseTarget, resolveTarget, TargetError } from './target.ts';

let canary: Receiver;
beforeAll(async () => {
  canary = await startReceiver();
});
afterAll(() => canary.close());

const nowhere: Resolve = async () => [];
const policy = (resolve: Resolve = nowhere, allowPrivate = false) => ({ allowPrivate, resolve });
const to =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const FORBIDDEN_HOSTS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[100::1]',
];

describe('threat 6: a webhook target in a private place', () => {
  it.each(FORBIDDEN_HOSTS)('%s is refused, and nothing connects', async (host) => {
    const { port } = canary;
    const url = parseTarget(`https://${host}:${port}/`, policy());
    await expect(resolveTarget(url.hostname, policy())).rejects.toThrow(TargetError);
    const sent = post({ url, headers: {}, body: '{}', timeoutMs: 2_000, signal: never }, policy());
    await expect(sent).rejects.toThrow(TargetError);
    expect(canary.connections()).toBe(0);
  });

  it.each(['localhost', 'metadata.google.internal', 'a.example'])(
    'the name %s that resolves to loopback is refused',
    async (host) => {
      await expect(resolveTarget(host, policy(to('127.0.0.1')))).rejects.toThrow(TargetError);
    },
  );

  it('a name with one public and one private address is refused', async () => {
    const mixed = policy(to('93.184.215.14', '10.0.0.1'));
    await expect(resolveTarget('a.example', mixed)).rejects.toThrow(TargetError);
  });

  it('a name that turns private after it was checked (DNS rebinding) is refused where it connects', async () => {
    let asked = 0;
    const rebinding: Resolve = async () => {
      asked += 1;
      return asked === 1 ? [{ address: '93.184.215.14', family: 4 }] : [{ address: '127.0.0.1', family: 4 }];
    };
    const url = parseTarget(`https://rebind.example:${canary.port}/`, policy());
    await resolveTarget(url.hostname, policy(rebinding));
    const sent = post({ url, headers: {}, body: '{}', timeoutMs: 2_000, signal: never }, policy(rebinding));
    const failure = await sent.catch(failureOf);
    expect(failure).toBe('the target is not a public address');
    expect(asked).toBe(2);
    expect(canary.connections()).toBe(0);
  });

  it('a public address is allowed, also through NAT64', () => {
    expect(
      ['93.184.215.14', '2606:4700::1111', '64:ff9b::5db8:d70e', '::ffff:93.184.215.14'].map((address) =>
        isAllowedAddress(address, false),
      ),
    ).toEqual([true, true, true, true]);
  });

  it('an address in brackets is none to look up, and a name without an address is refused', async () => {
    const address = { address: '2606:4700::1111', family: 6 };
    expect(await resolveTarget('[2606:4700::1111]', policy())).toEqual([address]);
    await expect(resolveTarget('a.example', policy())).rejects.toThrow('has no address');
  });

  it('link-local addresses stay refused where private ones are allowed', () => {
    const allowed = (address: string) => isAllowedAddress(address, true);
    expect(['127.0.0.1', '10.1.2.3', '::1', 'fd00::1', '93.184.215.14'].map(allowed)).toEqual(
      Array(5).fill(true),
    );
    expect(['169.254.169.254', 'fe80::1', '0.0.0.0', '::7f00:1', '224.0.0.1'].map(allowed)).toEqual(
      Array(5).fill(false),
    );
  });

  it.each([
    '168.63.129.16',
    '100.100.100.200',
    '[::ffff:100.100.100.200]',
    '[64:ff9b::6464:64c8]',
    '[fd00:ec2::254]',
    '[fd00:0ec2:0:0::0254]',
    '[fd00:ec2::23]',
    '[fd20:ce::254]',
  ])('the metadata service at %s stays refused where private addresses are allowed', async (host) => {
    const own = policy(to(host.replace(/[[\]]/g, '')), true);
    for (const name of [host, 'metadata.example']) {
      const url = parseTarget(`http://${name}/latest/meta-data/`, own);
      await expect(resolveTarget(url.hostname, own)).rejects.toThrow('is not a public address');
      const sent = post({ url, headers: {}, body: '{}', timeoutMs: 2_000, signal: never }, own);
      await expect(sent).rejects.toThrow(TargetError);
    }
  });
});

describe('the address of a target', () => {
  it.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user@example.com/',
    'https://user:password@example.com/',
    'https://:password@example.com/',
    'https://example.com/#part',
    'https://example.com:22/',
    'https://example.com:25/',
    'example.com',
    '//example.com',
    '',
  ])('%j is refused', (text) => {
    expect(() => parseTarget(text, policy())).toThrow(TargetError);
  });

  it.each(['https://example.com/a?b=c', 'https://example.com:8443/', 'https://EXAMPLE.com'])(
    '%s is accepted',
    (text) => {
      expect(parseTarget(text, policy()).protocol).toBe('https:');
    },
  );

  it('may be http only where private targets are allowed', () => {
    expect(parseTarget('http://10.0.0.1:8080/', policy(nowhere, true)).port).toBe('8080');
    expect(() => parseTarget('ftp://10.0.0.1:8080/', policy(nowhere, true))).toThrow(TargetError);
  });
});

const never = new AbortController().signal;
