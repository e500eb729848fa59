import * as Address from 'ox/Address';
import * as Hex from 'ox/Hex';
import * as PersonalMessage from 'ox/PersonalMessage';
import * as Secp256k1 from 'ox/Secp256k1';
import * as Signature from 'ox/Signature';
import { describe, expect, it } from 'vitest';
import { useAccounts } from './accounts.fixture.ts';

const DOMAIN = 'https://memory.example.com';
const MINUTE_MS = 60_000;
const test = useAccounts(() => ({ settings: { publicUrl: DOMAIN } }));
const closed = useAccounts(() => ({ settings: { publicUrl: DOMAIN, allowSignup: false } }));
const nameless = useAccounts(() => ({ settings: { publicUrl: 'http://memory:3000' } }));
const busy = useAccounts(() => ({ settings: { signInsPerMinute: 1 }, now: () => 0 }));

/** An Ethereum account, which signs texts as wallets do (EIP-191). */
function newWallet() {
  const privateKey = Secp256k1.randomPrivateKey();
  const address = Address.checksum(Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey })));
  const sign = (message: string) =>
    Signature.toHex(
      Secp256k1.sign({ payload: PersonalMessage.getSignPayload(Hex.fromString(message)), privateKey }),
    );
  return { address, sign };
}

const send = (body: object, service = test) => service.browser().post('/auth/wallet', body);
const challenge = async (address: string): Promise<string> => (await send({ address })).body.message;

describe('a wallet', () => {
  it('signs in with the message for it, and gets a tenant and an API key', async () => {
    const { address, sign } = newWallet();
    const asked = await send({ address: address.toLowerCase() });
    expect([asked.status, asked.body.outcome]).toEqual([200, 'challenge']);
    const { message, expires_at } = asked.body;
    expect(message).toContain(
      `memory.example.com wants you to sign in with your Ethereum account:\n${address}`,
    );
    expect(expires_at).toBe(new Date(test.kit.clock().getTime() + 10 * MINUTE_MS).toISOString());

    const { status, body } = await send({ message, signature: sign(message) });
    expect([status, body.outcome]).toEqual([201, 'created']);
    const headers = { Authorization: `Bearer ${body.api_key}` };
    const { body: shown } = await test.browser().get('/status', headers);
    expect(shown.tenant).toEqual(body.tenant);
  });

  it('that signs in again gets one more key for the same memories', async () => {
    const { address, sign } = newWallet();
    const enter = async () => {
      const message = await challenge(address);
      return (await send({ message, signature: sign(message) })).body;
    };
    const [first, second] = [await enter(), await enter()];
    expect(second.tenant).toEqual(first.tenant);
    expect(second.api_key).not.toBe(first.api_key);
    const { status } = await test.browser().get('/status', { Authorization: `Bearer ${first.api_key}` });
    expect(status).toBe(200);
  });

  it('of another make is understood: a signature made by viem', async () => {
    const nonce = 'abcdefgh12345678';
    await test.kit.engine.wallets.challenge('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', nonce);
    expect(test.kit.clock().toISOString()).toBe('2026-03-01T12:00:00.000Z');
    const message =
      'memory.example.com wants you to sign in with your Ethereum account:\n0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266\n\nSign in to the Agent Memory Service. This signs no transaction and costs nothing.\n\nURI: https://memory.example.com\nVersion: 1\nChain ID: 1\nNonce: abcdefgh12345678\nIssued At: 2026-03-01T12:00:00.000Z\nExpiration Time: 2026-03-01T12:10:00.000Z';
    const signature =
      '0x576f99a9f1416cca1db53d4a68dec3e8a8db5f4f2da4b70f19c2be7dadf2fe5a5f7ebd775e0cbc4ef7aa488ee39965f63b43a02e9152c8c822a26e2b80c55c1b1c';
    expect((await send({ message, signature })).status).toBe(201);
  });

  it('that is unknown is not let in where sign-up is closed', async () => {
    const { address, sign } = newWallet();
    const { message } = (await send({ address }, closed)).body;
    const { status, body } = await send({ message, signature: sign(message) }, closed);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('is told where it could sign in, at a host that no message may name', async () => {
    const { status, body } = await send({ address: newWallet().address }, nameless);
    expect([status, body.error.code]).toEqual([503, 'UNAVAILABLE']);
    expect(body.error.message).toContain('SVC_PUBLIC_URL names memory:3000');
  });

  it.each([
    {},
    { address: '0x123' },
    { message: 'x' },
    { signature: `0x${'0'.repeat(130)}` },
    { message: 'x', signature: '0x00' },
    { address: `0x${'0'.repeat(40)}`, message: 'x', signature: `0x${'0'.repeat(130)}` },
  ])('that asks by %j is told what to send', async (body) => {
    const { status, body: answer } = await send(body);
    expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('threat 9: a wallet message', () => {
  const changes: [string, (message: string) => string][] = [
    ['for another domain', (text) => text.replace('memory.example.com wants', 'evil.example wants')],
    ['with a scheme', (text) => `https://${text}`],
    ['for another URI', (text) => text.replace('URI: https://memory', 'URI: https://evil')],
    ['of another version', (text) => text.replace('Version: 1', 'Version: 2')],
    ['for another chain', (text) => text.replace('Chain ID: 1', 'Chain ID: 137')],
    ['with a nonce of its own', (text) => text.replace(/Nonce: \w+/, 'Nonce: 0123456789abcdef')],
    ['with a nonce that is none', (text) => text.replace(/Nonce: \w+/, 'Nonce: 0')],
    ['of no time', (text) => text.replace(/Issued At: .*/, 'Issued At: today')],
    ['from the future', (text) => text.replace(/Issued At: 2026/, 'Issued At: 2036')],
    ['from the past', (text) => text.replace(/Issued At: 2026/, 'Issued At: 2016')],
    ['that lasts longer', (text) => text.replace(/Expiration Time: 2026/, 'Expiration Time: 2036')],
    ['without an end', (text) => text.replace(/\nExpiration Time: .*/, '')],
    ['not good yet', (text) => `${text}\nNot Before: 2036-01-01T00:00:00.000Z`],
    ['that says something else', (text) => text.replace('signs no transaction', 'pays 1 ETH')],
    ['with something more', (text) => `${text}\nRequest ID: 1`],
    ['with something before', (text) => `Hello\n${text}`],
    ['of another kind', () => 'Hello'],
  ];
  it.each(changes)('%s is refused, properly signed or not', async (_name, change) => {
    const { address, sign } = newWallet();
    const message = await challenge(address);
    const changed = change(message);
    expect(changed).not.toBe(message);
    const wrong = await send({ message: changed, signature: sign(changed) });
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
    expect((await send({ message, signature: sign(message) })).status).toBe(201);
  });

  it('signed by another wallet, or with a broken signature, is refused', async () => {
    const [ours, theirs] = [newWallet(), newWallet()];
    const message = await challenge(ours.address);
    for (const signature of [theirs.sign(message), ours.sign(`${message} `), `0x${'f'.repeat(130)}`]) {
      expect((await send({ message, signature })).status).toBe(401);
    }
  });

  it('that names another wallet with the nonce of ours is refused', async () => {
    const [ours, theirs] = [newWallet(), newWallet()];
    const given = await challenge(theirs.address);
    const message = given.replace(theirs.address, ours.address);
    expect(message).not.toBe(given);
    expect((await send({ message, signature: ours.sign(message) })).status).toBe(401);
  });

  it('is good once, and of many at once one gets in', async () => {
    const { address, sign } = newWallet();
    const message = await challenge(address);
    const replay = () => send({ message, signature: sign(message) });
    const answers = await Promise.all(Array.from({ length: 8 }, replay));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 401),
    ]);
    expect((await replay()).status).toBe(401);
  });

  it('that has expired is refused', async () => {
    const { address, sign } = newWallet();
    const message = await challenge(address);
    test.kit.clock.advance(10 * MINUTE_MS);
    expect((await send({ message, signature: sign(message) })).status).toBe(401);
  });

  it('cannot be asked for without end from one address', async () => {
    const { address } = newWallet();
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1) statuses.push((await send({ address }, busy)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});
