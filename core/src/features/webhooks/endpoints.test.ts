import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { rows } from '../../kernel/database/database.ts';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';
import { account, must } from '../spaces/spaces.fixture.ts';
import { answerWith, type Receiver, startReceiver, succeed, verifyAt } from './receiver.fixture.ts';
import { createSecretBox } from './secret-box.ts';

const HOUR = 3_600_000;
const human = { source: 'human', credentialId: null } as const;
const nil = '00000000-0000-7000-8000-000000000000';
let kit: TestEngine;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  kit = await startTestEngine({ webhooks: { secrets: createSecretBox('secret'), allowPrivate: true } });
});
afterAll(async () => {
  await kit.close();
  await receiver.close();
});

const newOwner = async () => {
  const tenant = await kit.tenant();
  return { ...tenant, owner: tenant.agent(human) };
};
const deliver = () => kit.engine.background.run('events.deliver');

describe('an event endpoint', () => {
  it('is registered with a secret that is shown once and stored encrypted', async () => {
    const { owner } = await newOwner();
    const { outcome, endpoint, secret } = await owner.createEventEndpoint({ url: receiver.url });
    expect(outcome).toBe('created');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint).toMatchObject({
      url: receiver.url,
      events: ['*'],
      enabled: true,
      disabled_reason: null,
    });
    expect(await owner.eventEndpoints()).toEqual({ endpoints: [endpoint] });
    const stored = await kit.engine.database.system((tx) => rows(tx, sql`SELECT * FROM event_endpoints`));
    expect(JSON.stringify(stored)).not.toContain(secret.slice('whsec_'.length));
  });

  it.each([[['memory.store']], [['memory']], [['*.stored']], [['nothing.*']], [['']], [[]], [['__proto__']]])(
    'for the events %j is refused',
    async (events) => {
      const { owner } = await newOwner();
      await expect(owner.createEventEndpoint({ url: receiver.url, events })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    },
  );

  it.each(['memory.stored', 'billing.threshold', 'distress.raised', 'guardian.*', 'memory.*', '*'])(
    'may ask for %s',
    async (filter) => {
      const { owner } = await newOwner();
      const { endpoint } = await owner.createEventEndpoint({ url: receiver.url, events: [filter, filter] });
      expect(endpoint.events).toEqual([filter]);
    },
  );

  it('is turned off when the agent is taken from the human who chose its address, and no other one is', async () => {
    const { accounts, auditLog } = kit.engine;
    const [mine, theirs] = [must((await account(kit, 1))[0]), must((await account(kit, 1))[0])];
    const { tenantId } = mine;
    const idOf = async (agentId: string) => must((await accounts.humansOf(agentId)).get(agentId)?.[0]).id;
    const [former, other] = [await idOf(tenantId), await idOf(theirs.tenantId)];
    await accounts.giveAgent(tenantId, other);
    const otherHuman = mine.as({ source: 'human', credentialId: other });
    const url = (path: string) => `${receiver.url}/${path}`;
    const made = async (by: AgentMemory, path: string) =>
      (await by.createEventEndpoint({ url: url(path) })).endpoint.id;
    await made(mine.human, 'former');
    const kept = await made(otherHuman, 'other');
    await mine.human.updateEventEndpoint({ id: kept, events: ['memory.*'] });
    await mine.human.updateEventEndpoint({ id: await made(otherHuman, 'x'), url: url('moved-to-former') });
    await otherHuman.updateEventEndpoint({ id: await made(mine.human, 'y'), url: url('moved-to-other') });
    await accounts.takeAgent(tenantId, former);
    const { endpoints } = await otherHuman.eventEndpoints();
    expect(endpoints.map((one) => [one.url.split('/').at(-1), one.enabled])).toEqual([
      ['former', false],
      ['other', true],
      ['moved-to-former', false],
      ['moved-to-other', true],
    ]);
    const { entries } = await otherHuman.auditLog({ act: 'event_endpoint.updated', limit: 2 });
    expect(entries.map(({ by }) => by.kind)).toEqual(['operator', 'operator']);
    expect((await auditLog.verify({ tenantId, chain: 'account' })).intact).toBe(true);
    await otherHuman.updateEventEndpoint({ id: endpoints[0]?.id ?? '', enabled: true });
  });

  it('of another tenant answers as if it did not exist', async () => {
    const { owner, agent } = await newOwner();
    const { endpoint } = await owner.createEventEndpoint({ url: receiver.url });
    await agent().remember({ type: 'working', content: 'x' });
    const [delivery] = (await owner.eventDeliveries({ id: endpoint.id })).deliveries;
    const { owner: stranger } = await newOwner();
    const own = await stranger.createEventEndpoint({ url: receiver.url });
    for (const id of [endpoint.id, nil, 'not-a-uuid']) {
      const notFound = { code: 'NOT_FOUND', message: 'There is no event endpoint with this id.' };
      await expect(stranger.updateEventEndpoint({ id, enabled: false })).rejects.toMatchObject(notFound);
      await expect(stranger.deleteEventEndpoint({ id })).rejects.toMatchObject(notFound);
      await expect(stranger.rotateEventSecret({ id })).rejects.toMatchObject(notFound);
      await expect(stranger.testEventEndpoint({ id })).rejects.toMatchObject(notFound);
      await expect(stranger.eventDeliveries({ id })).rejects.toMatchObject(notFound);
    }
    for (const id of [own.endpoint.id, endpoint.id]) {
      await expect(
        stranger.replayEventDelivery({ id, delivery_id: delivery?.id ?? '' }),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await stranger.eventEndpoints()).endpoints).toEqual([own.endpoint]);
  });

  it('is one of at most 20, also when they are registered at once', async () => {
    const { owner } = await newOwner();
    const all = await Promise.allSettled(
      Array.from({ length: 24 }, () => owner.createEventEndpoint({ url: receiver.url })),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(all.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } });
  });

  it('that is removed takes its log along, and what was pending is not sent', async () => {
    const { owner, agent } = await newOwner();
    const { endpoint } = await owner.createEventEndpoint({ url: `${receiver.url}/removed` });
    await agent().remember({ type: 'working', content: 'x' });
    await owner.deleteEventEndpoint({ id: endpoint.id });
    await deliver();
    expect(receiver.received.map(({ url }) => url)).not.toContain('/hook/removed');
    await expect(owner.eventDeliveries({ id: endpoint.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('cannot be registered where the service has nothing to encrypt its secret with', async () => {
    const bare = await startTestEngine();
    const { agent } = await bare.tenant();
    await expect(agent(human).createEventEndpoint({ url: receiver.url })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await bare.close();
  });
});

describe('rotating a secret', () => {
  it('lets both sign for 24 hours, then only the new one', async () => {
    const { owner, agent } = await newOwner();
    const { endpoint, secret: old } = await owner.createEventEndpoint({ url: `${receiver.url}/rotated` });
    const { secret, endpoint: rotated } = await owner.rotateEventSecret({ id: endpoint.id });
    expect(secret).not.toBe(old);
    const overlap = new Date(kit.clock().getTime() + 24 * HOUR);
    expect(rotated.previous_secret_expires_at).toBe(overlap.toISOString());
    const next = async () => {
      await agent().remember({ type: 'episodic', content: 'x' });
      await deliver();
      const received = receiver.received.filter(({ url }) => url === '/hook/rotated').at(-1);
      if (!received) throw new Error('nothing came');
      return (key: string) => verifyAt(kit.clock(), key, received);
    };
    const during = await next();
    during(old);
    during(secret);
    kit.clock.set(overlap);
    const after = await next();
    after(secret);
    expect(() => after(old)).toThrow(/signature/i);
    await kit.engine.background.run('events.forget-old');
    expect((await owner.eventEndpoints()).endpoints[0]?.previous_secret_expires_at).toBeNull();
  });
});

describe('a secret that cannot be read since SVC_SECRET changed', () => {
  it('is no obstacle once it was rotated: the next attempt is signed by the new one', async () => {
    const { owner, agent, tenantId } = await newOwner();
    const { endpoint } = await owner.createEventEndpoint({ url: `${receiver.url}/moved` });
    const moved = await startTestEngine({
      database: { ...kit.engine.database, close: async () => {} },
      clock: kit.clock,
      webhooks: { secrets: createSecretBox('another secret'), allowPrivate: true },
    });
    onTestFinished(() => moved.close());
    await agent().remember({ type: 'episodic', content: 'x' });
    await moved.engine.background.run('events.deliver');
    const ownerOfMoved = moved.engine.agent(tenantId, human);
    const [waiting] = (await ownerOfMoved.eventDeliveries({ id: endpoint.id })).deliveries;
    expect(waiting?.attempts.at(-1)?.error).toContain('rotate it');
    const { secret, endpoint: rotated } = await ownerOfMoved.rotateEventSecret({ id: endpoint.id });
    expect(rotated.previous_secret_expires_at).toBeNull();
    kit.clock.advance(HOUR);
    await moved.engine.background.run('events.deliver');
    const received = receiver.received.find(({ url }) => url === '/hook/moved');
    if (!received) throw new Error('nothing came');
    verifyAt(kit.clock(), secret, received);
  });
});

describe('a test event', () => {
  it('goes to that endpoint only, whatever it asked for, and once', async () => {
    const { owner } = await newOwner();
    await owner.createEventEndpoint({ url: `${receiver.url}/other`, events: ['*'] });
    const { endpoint } = await owner.createEventEndpoint({
      url: `${receiver.url}/tested`,
      events: ['billing.threshold'],
    });
    const { outcome, delivery } = await owner.testEventEndpoint({ id: endpoint.id });
    expect([outcome, delivery.status, delivery.type]).toEqual(['queued', 'pending', 'endpoint.test']);
    receiver.behave(answerWith(500));
    await deliver();
    receiver.behave(succeed);
    kit.clock.advance(HOUR);
    await deliver();
    expect(receiver.received.filter(({ url }) => url === '/hook/tested')).toHaveLength(1);
    expect(receiver.received.filter(({ url }) => url === '/hook/other')).toHaveLength(0);
    const [logged] = (await owner.eventDeliveries({ id: endpoint.id })).deliveries;
    expect(logged).toMatchObject({ status: 'dead', event_id: delivery.event_id, next_attempt_at: null });
  });

  it('is refused while the endpoint is off', async () => {
    const { owner } = await newOwner();
    const { endpoint } = await owner.createEventEndpoint({ url: receiver.url });
    const off = await owner.updateEventEndpoint({ id: endpoint.id, enabled: false });
    expect(off.endpoint).toMatchObject({ enabled: false, disabled_reason: 'human' });
    await expect(owner.testEventEndpoint({ id: endpoint.id })).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('the delivery log', () => {
  it('is paged newest first, every delivery once', async () => {
    const { owner, agent } = await newOwner();
    const { endpoint } = await owner.createEventEndpoint({ url: receiver.url, events: ['memory.stored'] });
    await agent().rememberBatch({
      memories: Array.from({ length: 7 }, (_, n) => ({ type: 'working' as const, content: `n${n}` })),
    });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof owner.eventDeliveries>> = await owner.eventDeliveries({
        id: endpoint.id,
        limit: 3,
        ...(cursor === null ? {} : { cursor }),
      });
      seen.push(...page.deliveries.map(({ event_id }) => event_id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect([seen.length, new Set(seen).size]).toEqual([7, 7]);
    // Those of one moment too: the ids of events grow.
    expect(seen).toEqual(seen.toSorted().reverse());
    const pending = await owner.eventDeliveries({ id: endpoint.id, status: 'pending' });
    expect(pending.deliveries[0]?.next_attempt_at).toBe(kit.clock().toISOString());
    expect((await owner.eventDeliveries({ id: endpoint.id, status: 'dead' })).deliveries).toEqual([]);
  });
});
