import { describe, expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const MINUTE_MS = 60_000;

const kit = useTestEngine();

let made = 0;
const newAddress = () => `0x${(++made).toString(16).padStart(40, '0')}`;
const challenge = (address = newAddress()) =>
  kit.engine.wallets.challenge(address, crypto.randomUUID().replaceAll('-', ''));
const refused = expect.objectContaining({ code: 'UNAUTHORIZED' });

describe('a wallet challenge', () => {
  it('is good once', async () => {
    const opened = await challenge();
    await kit.engine.wallets.redeem(opened);
    await expect(kit.engine.wallets.redeem(opened)).rejects.toEqual(refused);
  });

  it('used by many at once has one winner', async () => {
    const opened = await challenge();
    const ended = await Promise.allSettled(
      Array.from({ length: 20 }, () => kit.engine.wallets.redeem(opened)),
    );
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('ends after 10 minutes, to the millisecond', async () => {
    const [early, late] = [await challenge(), await challenge()];
    kit.clock.advance(10 * MINUTE_MS - 1);
    await kit.engine.wallets.redeem(early);
    kit.clock.advance(1);
    await expect(kit.engine.wallets.redeem(late)).rejects.toEqual(refused);
  });

  it('is bound to its wallet and its times', async () => {
    const opened = await challenge();
    const later = new Date(opened.expiresAt.getTime() + 1);
    for (const other of [{ address: newAddress() }, { expiresAt: later }, { issuedAt: later }]) {
      await expect(kit.engine.wallets.redeem({ ...opened, ...other })).rejects.toEqual(refused);
    }
    await kit.engine.wallets.redeem(opened);
  });
});

describe('a wallet', () => {
  it('gets its own tenant at the first sign-in, and the same one with another key at the next', async () => {
    const address = newAddress();
    const first = await kit.engine.wallets.signIn(address, true);
    const second = await kit.engine.wallets.signIn(address, false);
    expect(second.tenant).toEqual(first.tenant);
    for (const { apiKey } of [first, second]) {
      expect(await kit.engine.apiKeys.authenticate(apiKey)).toMatchObject({ tenantId: first.tenant.id });
    }
  });

  it('that is unknown is refused while sign-up is closed', async () => {
    await expect(kit.engine.wallets.signIn(newAddress(), false)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('that signs in for the first time many times at once gets one tenant', async () => {
    const address = newAddress();
    const all = await Promise.all(Array.from({ length: 6 }, () => kit.engine.wallets.signIn(address, true)));
    expect(new Set(all.map(({ tenant }) => tenant.id)).size).toBe(1);
  });

  it('keeps the 10 newest keys of its sign-ins', async () => {
    const address = newAddress();
    const keys: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      kit.clock.advance(1);
      keys.push((await kit.engine.wallets.signIn(address, true)).apiKey);
    }
    const works = await Promise.all(
      keys.map((key) =>
        kit.engine.apiKeys.authenticate(key).then(
          () => true,
          () => false,
        ),
      ),
    );
    expect(works).toEqual([false, false, ...Array.from({ length: 10 }, () => true)]);
  });
});
