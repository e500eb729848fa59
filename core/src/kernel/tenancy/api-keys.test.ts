import { beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const HOUR_MS = 3_600_000;

const kit = useTestEngine();
let human: AgentMemory;
let tenantId: string;
beforeAll(async () => {
  const tenant = await kit.tenant();
  tenantId = tenant.tenantId;
  human = tenant.agent({ source: 'human', credentialId: tenantId });
});

const works = (secret: string) =>
  kit.engine.apiKeys.authenticate(secret).then(
    () => true,
    () => false,
  );
const inHours = (hours: number) => new Date(kit.clock().getTime() + hours * HOUR_MS).toISOString();
const shown = async (id: string) => (await human.apiKeys()).api_keys.find((key) => key.id === id);

describe('an API key', () => {
  it('is made with a name and a scope, and its secret is told this once', async () => {
    const { api_key, secret } = await human.createApiKey({ name: 'laptop', scope: 'read' });
    expect(api_key).toMatchObject({ name: 'laptop', scope: 'read', status: 'active', expires_at: null });
    expect(secret).toMatch(/^svc_\w{36}$/);
    expect(await kit.engine.apiKeys.authenticate(secret)).toEqual({
      tenantId,
      keyId: api_key.id,
      scope: 'read',
    });
    expect(JSON.stringify(await human.apiKeys())).not.toContain(secret);
  });

  it('with an expiry ends then, to the millisecond', async () => {
    const { api_key, secret } = await human.createApiKey({ name: 'guest', expires_at: inHours(1) });
    kit.clock.advance(HOUR_MS - 1);
    expect(await works(secret)).toBe(true);
    kit.clock.advance(1);
    expect(await works(secret)).toBe(false);
    expect(await shown(api_key.id)).toMatchObject({ status: 'expired' });
  });

  it('cannot be made to expire in the past', async () => {
    await expect(human.createApiKey({ name: 'old', expires_at: inHours(0) })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'expires_at' }],
    });
  });

  it('is one of at most 100 active ones, also when many are made at once', async () => {
    const { agent } = await kit.tenant();
    const owner = agent({ source: 'human', credentialId: tenantId });
    const makeOne = () => owner.createApiKey({ name: 'one of many' });
    const made = await Promise.allSettled(Array.from({ length: 110 }, makeOne));
    const refused = made.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(10);
    const { api_keys } = await owner.apiKeys();
    expect(api_keys).toHaveLength(100);
    await expect(makeOne()).rejects.toMatchObject({ code: 'CONFLICT' });
    await owner.revokeApiKey({ id: api_keys[0]?.id ?? '' });
    await makeOne();
  });

  it('is one of at most 100 active ones with those that were rotated and go on for a while', async () => {
    const { agent } = await kit.tenant();
    const owner = agent({ source: 'human', credentialId: tenantId });
    const made = await Promise.all(Array.from({ length: 99 }, () => owner.createApiKey({ name: 'rotated' })));
    const [first, second] = made.map(({ api_key }) => api_key.id);
    const rotate = (id = '', overlap_hours = 24) => owner.rotateApiKey({ id, overlap_hours });
    const { api_key: hundredth } = await rotate(first);
    const refused = { code: 'CONFLICT', message: expect.stringContaining('overlap_hours 0') };
    await expect(rotate(second)).rejects.toMatchObject(refused);
    await expect(rotate(hundredth.id)).rejects.toMatchObject(refused);
    // What was refused left the keys as they were, and the leaked one of a full list can be replaced.
    await rotate(second, 0);
    const { api_keys } = await owner.apiKeys();
    expect(api_keys.filter(({ status }) => status === 'active')).toHaveLength(100);
  });

  it('shows when and from where it was last used', async () => {
    const { api_key, secret } = await human.createApiKey({ name: 'used' });
    await kit.engine.apiKeys.authenticate(secret, '203.0.113.7');
    await expect
      .poll(() => shown(api_key.id))
      .toMatchObject({ last_used_at: kit.clock().toISOString(), last_used_address: '203.0.113.7' });
  });

  it('revoked ends at once, and stays listed as revoked at that time', async () => {
    const { api_key, secret } = await human.createApiKey({ name: 'lost' });
    const revoked = await human.revokeApiKey({ id: api_key.id });
    expect(revoked.api_key).toMatchObject({ status: 'revoked', revoked_at: kit.clock().toISOString() });
    expect(await works(secret)).toBe(false);
    kit.clock.advance(HOUR_MS);
    expect(await human.revokeApiKey({ id: api_key.id })).toEqual(revoked);
  });

  it('of another tenant is neither listed, rotated nor revoked', async () => {
    const other = await kit.tenant();
    const { id, secret } = await kit.engine.apiKeys.create(other.tenantId, { name: 'theirs', scope: 'full' });
    expect(await shown(id)).toBeUndefined();
    await expect(human.rotateApiKey({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(human.revokeApiKey({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await works(secret)).toBe(true);
  });
});

describe('an actor that is unverified', () => {
  const actorOf = (credentialId: string | null) =>
    kit.engine.agent(tenantId, { source: 'agent', credentialId, unverified: true });
  const contentsOf = async () => (await human.query({ limit: 100 })).memories.map(({ content }) => content);
  const used = async () => (await human.status()).usage.operations_this_month;

  it('recalls with the key while it is in force, counted as always, also many at once', async () => {
    const { api_key } = await human.createApiKey({ name: 'known', expires_at: inHours(1) });
    const before = await used();
    await Promise.all(Array.from({ length: 5 }, () => actorOf(api_key.id).recall({ query: 'harbour' })));
    expect(await used()).toBe(before + 5);
    kit.clock.advance(HOUR_MS);
    const refused = actorOf(api_key.id).recall({ query: 'harbour' });
    await expect(refused).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await used()).toBe(before + 5);
  });

  it('stores with the key while it is in force, also many at once, in batches and again', async () => {
    const { api_key } = await human.createApiKey({ name: 'known', expires_at: inHours(1) });
    const actor = actorOf(api_key.id);
    const before = await used();
    const contents = ['harbour', 'pier', 'quay', 'mole', 'dock'];
    await Promise.all(contents.map((content) => actor.remember({ type: 'semantic', content })));
    await actor.rememberBatch({ memories: contents.map((content) => ({ type: 'episodic', content })) });
    const options = { idempotencyKey: 'once' };
    const draft = { type: 'semantic', key: 'port', content: 'Rotterdam' } as const;
    await actor.remember(draft, options);
    expect(await used()).toBe(before + 11);
    const replayed = await actor.remember(draft, options);
    expect(replayed.memory.content).toBe('Rotterdam');
    kit.clock.advance(HOUR_MS);
    const refused = [
      () => actor.remember({ type: 'semantic', content: 'lost' }),
      () => actor.remember({ ...draft, content: 'Hamburg' }),
      () => actor.remember(draft, options),
      () => actor.rememberBatch({ memories: [{ type: 'core', category: 'identity', content: 'lost' }] }),
    ];
    for (const call of refused) await expect(call()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await used()).toBe(before + 11);
    expect((await contentsOf()).sort()).toEqual(['Rotterdam', ...contents, ...contents].sort());
  });

  it('does not store for a key that ended beside one that is in force', async () => {
    const [ended, good] = [
      await human.createApiKey({ name: 'ended' }),
      await human.createApiKey({ name: 'good' }),
    ];
    await human.revokeApiKey({ id: ended.api_key.id });
    const stored = await Promise.allSettled(
      [good, good, ended, good, ended].map(({ api_key: { id } }, place) =>
        actorOf(id).remember({ type: 'semantic', content: `memory ${place}` }),
      ),
    );
    expect(stored.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    const added = (await contentsOf()).filter((content) => content.startsWith('memory'));
    expect(added.sort()).toEqual(['memory 0', 'memory 1', 'memory 3']);
  });

  it('is refused with a key of another tenant, and may do nothing where nothing is proved', async () => {
    const other = await kit.tenant();
    const { api_key } = await other
      .agent({ source: 'human', credentialId: tenantId })
      .createApiKey({ name: 'theirs' });
    await expect(actorOf(api_key.id).recall({ query: 'harbour' })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    const own = (await human.createApiKey({ name: 'mine' })).api_key.id;
    const before = await used();
    await expect(actorOf(null).recall({ query: 'harbour' })).rejects.toThrow('has a credential');
    await expect(actorOf(own).status()).rejects.toThrow('verifies no API key');
    await expect(actorOf(own).boot({ preview: true })).rejects.toThrow();
    expect(await used()).toBe(before);
  });
});

describe('rotation', () => {
  it('gives a like key at once, and the old one works for 24 hours more', async () => {
    const old = await human.createApiKey({ name: 'agent', scope: 'read' });
    const { api_key, secret, replaced } = await human.rotateApiKey({ id: old.api_key.id });
    expect(api_key).toMatchObject({ name: 'agent', scope: 'read', expires_at: null });
    expect(replaced).toMatchObject({ id: old.api_key.id, replaced_by: api_key.id, expires_at: inHours(24) });
    kit.clock.advance(24 * HOUR_MS - 1);
    expect([await works(old.secret), await works(secret)]).toEqual([true, true]);
    kit.clock.advance(1);
    expect([await works(old.secret), await works(secret)]).toEqual([false, true]);
  });

  it('without overlap ends the old one now', async () => {
    const old = await human.createApiKey({ name: 'agent' });
    const { replaced } = await human.rotateApiKey({ id: old.api_key.id, overlap_hours: 0 });
    expect(await works(old.secret)).toBe(false);
    expect(replaced.status).toBe('revoked');
  });

  it('of a key that is bound to a user gives one that is bound to the same user', async () => {
    const { api_key } = await human.createApiKey({ name: 'phone', user_id: 'u1' });
    const { secret } = await human.rotateApiKey({ id: api_key.id });
    expect(await kit.engine.apiKeys.authenticate(secret)).toMatchObject({ userId: 'u1' });
  });

  it('never makes the old key live longer, and gives the new one the same lifetime again', async () => {
    const old = await human.createApiKey({ name: 'short', expires_at: inHours(10) });
    kit.clock.advance(4 * HOUR_MS);
    const { api_key, replaced } = await human.rotateApiKey({ id: old.api_key.id, overlap_hours: 100 });
    expect(replaced.expires_at).toBe(inHours(6));
    expect(api_key.expires_at).toBe(inHours(10));
  });

  it('of one key, many at once, makes one new key', async () => {
    const { api_key } = await human.createApiKey({ name: 'raced' });
    const rotations = Array.from({ length: 8 }, () => human.rotateApiKey({ id: api_key.id }));
    const ended = await Promise.allSettled(rotations);
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { api_keys } = await human.apiKeys();
    expect(api_keys.filter(({ name }) => name === 'raced')).toHaveLength(2);
  });

  it('of a revoked or an expired key is refused', async () => {
    const revoked = await human.createApiKey({ name: 'revoked' });
    await human.revokeApiKey({ id: revoked.api_key.id });
    const expired = await human.createApiKey({ name: 'expired', expires_at: inHours(1) });
    kit.clock.advance(HOUR_MS);
    for (const { api_key } of [revoked, expired]) {
      await expect(human.rotateApiKey({ id: api_key.id })).rejects.toMatchObject({ code: 'CONFLICT' });
    }
  });
});
