import { describe, expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { startTestEngine } from '../../testing/index.ts';
import { users } from './schema.ts';

const DAY_MS = 86_400_000;

const kit = useTestEngine();

async function makeUser(): Promise<string> {
  const id = crypto.randomUUID();
  const now = kit.clock();
  const user = { id, name: 'Ada', email: `${id}@example.com`, emailVerified: true };
  await kit.engine.database.accounts.insert(users).values({ ...user, createdAt: now, updatedAt: now });
  return id;
}

describe('a human', () => {
  it('has several agents, oldest first, and no one else sees them', async () => {
    const { accounts } = kit.engine;
    const [ada, bob] = [await makeUser(), await makeUser()];
    const first = await accounts.openAgent(ada, 'First');
    kit.clock.advance(1);
    const second = await accounts.openAgent(ada, 'Second');
    expect(await accounts.agentsOf(ada)).toEqual([first, second]);
    expect(await accounts.agentsOf(bob)).toEqual([]);
  });

  it('gets a first agent under their own name, once', async () => {
    const { accounts } = kit.engine;
    const ada = await makeUser();
    // As where a link is opened in two browsers.
    await Promise.all([accounts.ensureFirstAgent(ada), accounts.ensureFirstAgent(ada)]);
    await accounts.ensureFirstAgent(ada);
    expect(await accounts.agentsOf(ada)).toMatchObject([{ displayName: 'Ada' }]);
  });

  it('has no more than 100 agents, however many are made at once', async () => {
    const { accounts } = kit.engine;
    const ada = await makeUser();
    const made = await Promise.allSettled(
      Array.from({ length: 103 }, (_, n) => accounts.openAgent(ada, `Agent ${n}`)),
    );
    const refused = made.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject(Array(3).fill({ reason: { code: 'CONFLICT' } }));
    expect(await accounts.agentsOf(ada)).toHaveLength(100);
  });
});

describe('the local owner', () => {
  it('is made once and has the agents that are nobody else’s, also those made later', async () => {
    const { accounts, wallets, tenants } = kit.engine;
    const ada = await makeUser();
    const hers = await accounts.openAgent(ada, 'Hers');
    const { tenant: walletOwn } = await wallets.signIn(`0x${'a'.repeat(40)}`, true);
    const free = await tenants.create({ displayName: 'Free', plan: 'local' });
    const owner = await accounts.ensureLocalOwner('ada');
    const later = await tenants.create({ displayName: 'Later', plan: 'local' });
    expect(await accounts.ensureLocalOwner('ada')).toBe(owner);
    const owned = (await accounts.agentsOf(owner)).map(({ id }) => id);
    expect(owned).toEqual(expect.arrayContaining([free.id, later.id]));
    expect(owned).not.toContain(hers.id);
    expect(owned).not.toContain(walletOwn.id);
  });

  it('does not start a new trial with a second agent', async () => {
    const own = await startTestEngine();
    const { accounts, tenants } = own.engine;
    const first = await tenants.create({ displayName: 'First', plan: 'trial' });
    expect(first.trialExpiresAt).toEqual(new Date(own.clock().getTime() + 14 * DAY_MS));
    const owner = await accounts.ensureLocalOwner('ada');
    own.clock.advance(10 * DAY_MS);
    expect(await accounts.openAgent(owner, 'Second')).toMatchObject({
      plan: 'trial',
      trialExpiresAt: first.trialExpiresAt,
    });
    await own.close();
  });
});
