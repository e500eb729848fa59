import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { createEngine } from '../../app/engine.ts';
import { type Database, rows, type TenantIds } from '../../kernel/database/database.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { isEmbedded, startTestEngine } from '../../testing/index.ts';
import { keepRecent } from '../../text/recent.ts';
import { createStaticEmbedder } from '../embedding/static/static-embedder.ts';
import { ADA, agentWithUsers, BERT, bound, OWN } from './users.fixture.ts';

const contentsOf = (list: readonly { readonly content: string }[]) => list.map(({ content }) => content);

describe('users of an agent', () => {
  const kit = useTestEngine();

  const everything = async (agent: AgentMemory, user_id?: string) => {
    const user = user_id === undefined ? {} : { user_id };
    const { results } = await agent.recall({ query: 'who prefers which desk?', threshold: 0, ...user });
    const { memories } = await agent.query({ ...user, order: 'asc' });
    return { recalled: contentsOf(results).sort(), listed: contentsOf(memories) };
  };

  it('sees the own and that user’s with user_id, and the own only without', async () => {
    const { agent } = await agentWithUsers(kit);
    const [own, ada, bert] = [OWN, ADA, BERT];
    expect(await everything(agent)).toEqual({ recalled: [own], listed: [own] });
    expect(await everything(agent, 'u1')).toEqual({ recalled: [ada, own], listed: [own, ada] });
    expect(await everything(agent, 'u10')).toEqual({ recalled: [bert, own], listed: [own, bert] });
    expect(await everything(agent, 'u')).toEqual({ recalled: [own], listed: [own] });
    expect(await everything(agent, 'U1')).toEqual({ recalled: [own], listed: [own] });
  });

  it.each(['.', '..'])(
    'cannot be called %j, by which no address of the user can be written',
    async (user_id) => {
      const { agent } = await agentWithUsers(kit);
      await expect(agent.remember({ type: 'working', content: 'x', user_id })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'user_id', message: 'must not be . or .., which addresses cannot hold' }],
      });
      await agent.remember({ type: 'working', content: 'x', user_id: `${user_id}x` });
    },
  );

  it('is searched beside the count, which goes with the search of the agent’s own', async () => {
    const { agent, tenantId } = await agentWithUsers(kit);
    const { database } = kit.engine;
    const sent: { tenants: TenantIds; statements: number }[] = [];
    const batch: typeof database.batch = (tenants, statements, onFirstRows) => {
      sent.push({ tenants, statements: statements.length });
      return database.batch(tenants, statements, onFirstRows);
    };
    const settings = { recallHeldBytes: 0, recallLogDays: 0 };
    const other = createEngine({ clock: kit.clock, database: { ...database, batch }, settings });
    // Which model the agent uses is known from the first recall on.
    await other.agent(tenantId).recall({ query: 'desk', user_id: 'u10' });
    const before = (await agent.status()).usage.operations_this_month;
    sent.length = 0;
    await other.agent(tenantId).recall({ query: 'desk', user_id: 'u1' });
    const [lookUp, ...searches] = sent;
    expect(lookUp).toEqual({ tenants: tenantId, statements: 1 });
    expect(searches).toContainEqual({ tenants: tenantId, statements: 2 });
    expect(searches.filter(({ tenants }) => tenants !== tenantId)).toEqual([
      { tenants: expect.any(String), statements: 1 },
    ]);
    expect(searches).toHaveLength(2);
    expect((await agent.status()).usage.operations_this_month).toBe(before + 1);
  });

  it('marks what is a user’s in every answer, and nothing else', async () => {
    const { agent } = await agentWithUsers(kit);
    const { memory } = await agent.remember({ type: 'working', content: 'Call Ada back.', user_id: 'u1' });
    expect(memory.user_id).toBe('u1');
    expect((await agent.get({ id: memory.id, user_id: 'u1' })).memory.user_id).toBe('u1');
    const { memories } = await agent.query({ user_id: 'u1' });
    expect(memories.map(({ user_id }) => user_id)).toEqual(['u1', 'u1', undefined]);
    const { results } = await agent.recall({ query: 'desk', user_id: 'u1', threshold: 0 });
    expect(results.map(({ user_id }) => user_id ?? 'own').sort()).toContain('own');
    expect(results.find(({ content }) => content.startsWith('Ada'))?.user_id).toBe('u1');
  });

  it('answers the id of another user’s memory like one that is not there', async () => {
    const { agent } = await agentWithUsers(kit);
    const [theirs] = (await agent.query({ user_id: 'u10', type: 'semantic' })).memories;
    const id = theirs?.user_id === 'u10' ? theirs.id : '';
    for (const user of [{}, { user_id: 'u1' }]) {
      for (const call of [
        () => agent.get({ id, ...user }),
        () => agent.history({ id, ...user }),
        () => agent.similar({ id, ...user }),
        () => agent.update({ id, importance: 1, ...user }),
        () => agent.forget({ id, ...user }),
        () => agent.restore({ id, ...user }),
      ]) {
        await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }
      expect(
        await agent.remember({ type: 'semantic', content: 'x', supersedes: [id], ...user }).catch(String),
      ).toContain('supersedes');
    }
    expect((await agent.get({ id, user_id: 'u10' })).memory.version).toBe(1);
  });

  it('reads the agent’s own by id for a user, and does not change it for one', async () => {
    const { agent } = await agentWithUsers(kit);
    const [own] = (await agent.query({})).memories;
    const id = own?.id ?? '';
    expect((await agent.get({ id, user_id: 'u1' })).memory).not.toHaveProperty('user_id');
    await expect(agent.update({ id, importance: 1, user_id: 'u1' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(agent.forget({ id, user_id: 'u1' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are found by a part of their ids, in any case, as it is written', async () => {
    const { agent } = await agentWithUsers(kit);
    for (const user_id of ['Ada@Example.com', 'adam', '100%_']) {
      await agent.remember({ type: 'working', content: 'x', user_id });
    }
    const found = async (contains: string) => (await agent.users({ contains })).users.map(({ id }) => id);
    expect((await found(' ADA')).sort()).toEqual(['Ada@Example.com', 'adam']);
    expect(await found('0%_')).toEqual(['100%_']);
    expect(await found('%')).toEqual(['100%_']);
    expect(await found('nobody')).toEqual([]);
    const { users, next_cursor } = await agent.users({ contains: 'ada', limit: 1 });
    const { users: others } = await agent.users({ contains: 'ada', limit: 1, cursor: next_cursor ?? '' });
    expect([...users, ...others].map(({ id }) => id)).toEqual(['adam', 'Ada@Example.com']);
    await expect(agent.users({ contains: ' ' })).rejects.toThrow('contains: must not be blank');
  });

  it('keeps keys, copies and facts of users apart', async () => {
    const { agent } = await agentWithUsers(kit);
    const name = { type: 'semantic', key: 'name' } as const;
    await agent.remember({ ...name, content: 'The agent is called Hal.' });
    const one = await agent.remember({ ...name, content: 'Her name is Ada.', user_id: 'u1' });
    const other = await agent.remember({ ...name, content: 'His name is Bert.', user_id: 'u10' });
    expect([one.outcome, other.outcome]).toEqual(['created', 'created']);
    const told = { type: 'semantic', content: 'Lives in Oslo since 2019.' } as const;
    expect((await agent.remember({ ...told, user_id: 'u1' })).outcome).toBe('created');
    expect((await agent.remember({ ...told, user_id: 'u10' })).outcome).toBe('created');
    const moved = await agent.remember({
      type: 'semantic',
      content: 'Bert prefers the front desk now.',
      user_id: 'u1',
    });
    expect(moved.superseded ?? []).toEqual([]);
  });

  it('boots with the user’s sections beside its own, and issues no session key for a user', async () => {
    const { agent } = await agentWithUsers(kit);
    await agent.remember({ type: 'core', category: 'soul', content: 'I am patient.' });
    await agent.createWipItem({ title: 'Move Ada to the window', user_id: 'u1' });
    await agent.createScheduleItem({ title: 'Call Bert', due_at: '2026-03-02', user_id: 'u10' });
    const { injection, counts } = await agent.boot({ user_id: 'u1' });
    expect(injection).toContain('I am patient.');
    expect(injection).toContain(ADA);
    expect(injection).toContain(OWN);
    expect(injection).toContain('Move Ada to the window');
    expect(injection).not.toMatch(/Bert|Session key/);
    expect(counts.semantic).toBe(2);
    const own = await agent.boot();
    expect(own.injection).toContain('Session key');
    expect(own.injection).not.toMatch(/Ada|Bert/);
  });

  it('recovers a user’s session from its own turns', async () => {
    const { agent } = await agentWithUsers(kit);
    const turns = (said: string) => [{ role: 'user', content: said }];
    const session = { session_id: 's', phase: 'pre' } as const;
    await agent.compaction({ ...session, transcript: turns('My locker is 17.'), user_id: 'u1' });
    await agent.compaction({ ...session, transcript: turns('My locker is 99.'), user_id: 'u10' });
    const { injection } = await agent.compaction({ session_id: 's', user_id: 'u1' });
    expect(injection).toContain('My locker is 17.');
    expect(injection).not.toMatch(/99|Bert/);
    expect((await agent.compaction({ session_id: 's' })).injection).not.toMatch(/locker/);
  });

  it('refuses to make core memories of a user', async () => {
    const { agent, as } = await agentWithUsers(kit);
    const core = { type: 'core', category: 'identity', content: 'I belong to Ada.' } as const;
    for (const [caller, user] of [
      [agent, { user_id: 'u1' }],
      [as(bound('u1')), {}],
    ] as const) {
      await expect(caller.remember({ ...core, ...user })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'type' }],
      });
      const [ada] = (await caller.query({ ...user })).memories;
      await expect(
        caller.update({ id: ada?.id ?? '', type: 'core', category: 'soul', ...user }),
      ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    }
  });

  it('undoes what was written for one user only', async () => {
    const { agent } = await agentWithUsers(kit);
    const since = new Date(kit.clock().getTime() - 1_000).toISOString();
    const { changes } = await agent.undo({ source: 'agent', since, user_id: 'u1' });
    expect(changes.archived).toBe(1);
    expect((await everything(agent, 'u1')).listed).toEqual([OWN]);
    expect((await everything(agent, 'u10')).listed).toHaveLength(2);
    expect(contentsOf((await agent.archived({ user_id: 'u1' })).memories)).toEqual([ADA]);
    expect((await agent.archived()).memories).toEqual([]);
    expect((await agent.archived({ user_id: 'u10' })).memories).toEqual([]);
  });

  it('exports what is the user’s, and imports it for another', async () => {
    const { agent } = await agentWithUsers(kit);
    const { export: document } = await agent.export({ user_id: 'u1' });
    expect(contentsOf(document.memories.semantic)).toEqual([ADA]);
    expect(contentsOf((await agent.export({ user_id: 'nobody' })).export.memories.semantic)).toEqual([]);
    expect(contentsOf((await agent.export()).export.memories.semantic)).toEqual([OWN]);
    const files = [{ name: 'export.json', content: JSON.stringify(document) }];
    await agent.import({ files, user_id: 'u2' });
    await kit.engine.background.run('jobs.work');
    expect((await everything(agent, 'u2')).listed).toContain(ADA);
    expect((await everything(agent)).listed).toHaveLength(1);
  });

  it('pages through both in one order', async () => {
    const agent = (await kit.tenant()).agent();
    for (let n = 0; n < 9; n += 1) {
      kit.clock.advance(1_000);
      await agent.remember({
        type: 'episodic',
        content: `Step ${n}.`,
        ...(n % 3 === 0 ? { user_id: 'u1' } : {}),
      });
    }
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await agent.query({ limit: 2, user_id: 'u1', ...(cursor ? { cursor } : {}) });
      seen.push(...contentsOf(page.memories));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(Array.from({ length: 9 }, (_, n) => `Step ${8 - n}.`));
  });

  it('refuses an id that holds a secret', async () => {
    const { agent, as } = await agentWithUsers(kit);
    const user_id = `ghp_${'a1B2'.repeat(9)}`;
    const refused = { code: 'VALIDATION_ERROR', details: [{ path: 'user_id' }] };
    await expect(agent.remember({ type: 'working', content: 'x', user_id })).rejects.toMatchObject(refused);
    const human = as({ source: 'human', credentialId: null });
    await expect(human.createApiKey({ name: 'k', user_id })).rejects.toMatchObject(refused);
  });

  it('tells when each was seen last, which no write waits for', async () => {
    const { agent } = await agentWithUsers(kit);
    const seen = async () => new Map((await agent.users()).users.map((user) => [user.id, user.last_seen_at]));
    const before = await seen();
    kit.clock.advance(3_600_000);
    const now = kit.clock().toISOString();
    await agent.remember({ type: 'semantic', content: 'Ada drinks tea.', user_id: 'u1' });
    await vi.waitFor(async () => expect((await seen()).get('u1')).toBe(now), 10_000);
    expect((await seen()).get('u10')).toBe(before.get('u10'));
  });

  describe('with a key that is bound to one', () => {
    it('whatever is sent, sees and writes nothing of others', async () => {
      const { agent, as } = await agentWithUsers(kit);
      const ada = as(bound('u1'));
      expect((await everything(ada)).listed).toEqual([OWN, ADA]);
      await ada.remember({ type: 'semantic', content: 'Ada drinks tea.' });
      expect((await everything(agent, 'u1')).listed).toContain('Ada drinks tea.');
      expect((await everything(agent)).listed).toHaveLength(1);
      for (const user_id of ['u10', 'u', 'U1']) {
        await expect(ada.query({ user_id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
        await expect(ada.remember({ type: 'working', content: 'x', user_id })).rejects.toMatchObject({
          code: 'FORBIDDEN',
        });
      }
      expect((await ada.query({ user_id: 'u1' })).memories.length).toBeGreaterThan(0);
    });

    it('has files of its own', async () => {
      const { agent, as } = await agentWithUsers(kit);
      const ada = as(bound('u1'));
      const path = '/memories/notes.md';
      await agent.fileCommand({ command: 'create', path, file_text: 'Of the agent.' });
      expect(await ada.files()).toEqual({ files: [] });
      await ada.fileCommand({ command: 'create', path, file_text: 'Of the user.' });
      await expect(
        ada.fileCommand({ command: 'rename', old_path: path, new_path: '/memories/soul/notes.md' }),
      ).rejects.toThrow('new_path: core says who the agent is, for all of its users');
      const view = { command: 'view', path } as const;
      expect((await ada.fileCommand(view)).text).toContain('Of the user.');
      expect((await agent.fileCommand({ ...view, user_id: 'u1' })).text).toContain('Of the user.');
      expect((await agent.fileCommand(view)).text).toContain('Of the agent.');
      await expect(agent.fileCommand({ ...view, user_id: 'u10' })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
      expect((await ada.recall({ query: 'of the user' })).results.map(({ content }) => content)).toContain(
        'Of the user.',
      );
    });

    it('learns nothing of what is done for others from the use of the plan', async () => {
      const { tenantId, agent } = await kit.tenant('trial');
      const key = agent(bound('u1'));
      const told = async () => JSON.stringify(await key.status());
      const before = await told();
      await agent().remember({ type: 'semantic', content: BERT, user_id: 'u10' });
      await agent().recall({ query: 'desk', user_id: 'u10' });
      await agent().distress({ context: 'Bert is stuck.' });
      expect(await told()).toBe(before);
      // How much is left of the plan it learns all the same.
      await kit.engine.database.system((tx) =>
        tx.execute(sql`UPDATE usage_counts SET operations = 8999 WHERE tenant_id = ${tenantId}::uuid`),
      );
      expect((await key.status()).usage).toEqual({ operations_this_month: 8_000, operations_limit: 10_000 });
      expect((await agent().status()).usage.operations_this_month).toBe(8_999);
    });

    it('has no way to what is about the agent', async () => {
      const { as } = await agentWithUsers(kit);
      const ada = as(bound('u1'));
      const calls = [
        () => ada.users(),
        () => ada.forgetUser({ user_id: 'u1' }),
        () => ada.guardianQueue({}),
        () => ada.visibility(),
        () => ada.memoryMap({}),
        () => ada.memoryFacets(),
        () => ada.dashboard(),
        () => ada.reflect(),
        () => ada.syncCore({ files: [{ path: 'SOUL.md', content: '# Soul\n\nI am Ada’s.' }] }),
        () => ada.setBootConfig({ token_budget: 256 }),
      ];
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    });
  });

  describe('the second wall', () => {
    it('shows a statement without any filter nothing of other users', async () => {
      const { tenantId } = await agentWithUsers(kit);
      const one = await kit.engine.database.system((tx) =>
        rows<{ id: string; user_tenant_id: string }>(
          tx,
          sql`SELECT user_id AS id, user_tenant_id FROM agent_users WHERE tenant_id = ${tenantId}::uuid`,
        ),
      );
      const ada = one.find(({ id }) => id === 'u1')?.user_tenant_id ?? '';
      const all = await kit.engine.database.read([ada, tenantId], (tx) =>
        rows<{ content: string }>(tx, sql`SELECT content FROM memories ORDER BY content`),
      );
      expect(contentsOf(all)).toEqual([ADA, OWN]);
      const write = kit.engine.database.transaction([ada, tenantId], (tx) =>
        rows(tx, sql`UPDATE memories SET importance = 1 RETURNING 1`),
      );
      expect(await write).toHaveLength(2);
    });
  });

  describe('forgetting one', () => {
    const CANARY = 'zwergkolibri';

    async function canaries(user: string): Promise<string[]> {
      const found = await kit.engine.database.system((tx) =>
        rows<{ name: string }>(
          tx,
          sql`SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
              WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
        ),
      );
      const hits: string[] = [];
      for (const { name } of found) {
        const [hit] = await kit.engine.database.system((tx) =>
          rows<{ hits: number }>(
            tx,
            sql`SELECT count(*)::int AS hits FROM ${sql.identifier(name)} row
                WHERE to_jsonb(row)::text ILIKE ${`%${CANARY}%`} OR to_jsonb(row)::text LIKE ${`%${user}%`}`,
          ),
        );
        if (hit && hit.hits > 0) hits.push(name);
      }
      return hits;
    }

    /** Leaves the users of an agent as an erasure does that ends right behind its first step. */
    function cutOff(tenantId: string) {
      return kit.engine.database.system((tx) =>
        rows(
          tx,
          sql`UPDATE agent_users SET forgotten_id = user_id, forgotten_at = now(), user_id = chr(1) || user_tenant_id
              WHERE tenant_id = ${tenantId}::uuid RETURNING 1`,
        ),
      );
    }

    it('leaves nothing anywhere, and answers a receipt that can be checked', async () => {
      const { tenantId, agent } = await kit.tenant();
      const memory = agent();
      const user_id = 'ada-4711';
      const about = { user_id, type: 'semantic' } as const;
      const { memory: told } = await memory.remember(
        { ...about, content: `The ${CANARY} is hers.`, tags: [CANARY], metadata: { pet: CANARY } },
        { idempotencyKey: 'k1' },
      );
      await memory.update({ id: told.id, content: `The ${CANARY} was hers.`, user_id });
      await memory.remember({ ...about, key: 'gone', content: `Another ${CANARY}.` });
      await memory.recall({ query: `where is the ${CANARY}?`, user_id });
      await memory.createWipItem({ title: `Feed the ${CANARY}`, user_id });
      await memory.createScheduleItem({ title: `Vet for the ${CANARY}`, due_at: '2026-03-02', user_id });
      await memory.compaction({
        phase: 'pre',
        session_id: 's',
        transcript: `user: my ${CANARY} sings`,
        user_id,
      });
      await memory.import({
        files: [{ name: `${CANARY}.md`, content: `# ${CANARY}\n\nIt sings.` }],
        user_id,
      });
      await kit.engine.background.run('jobs.work');
      await memory.remember({ type: 'semantic', content: 'Something of its own.' });
      expect((await canaries(user_id)).length).toBeGreaterThan(5);
      expect((await memory.users()).users).toMatchObject([{ id: user_id }]);

      const { receipt } = await memory.forgetUser({ user_id });
      expect(receipt).toMatchObject({ user_id, erased: { memories: expect.any(Number) } });
      expect(await canaries(user_id)).toEqual([]);
      expect((await memory.users()).users).toEqual([]);
      expect((await memory.query({ user_id })).memories).toHaveLength(1);
      const { erasure } = await memory.erasure({ id: receipt.id });
      expect(erasure).toEqual({
        id: receipt.id,
        erased_at: receipt.erased_at,
        erased: receipt.erased,
        hash: receipt.hash,
      });
      const text = JSON.stringify([erasure.id, user_id, erasure.erased_at, erasure.erased]);
      expect(createHash('sha256').update(text).digest('hex')).toBe(receipt.hash);
      await expect(memory.forgetUser({ user_id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const left = await kit.engine.database.system((tx) =>
        rows(tx, sql`SELECT 1 FROM tenants WHERE agent_id = ${tenantId}::uuid`),
      );
      expect(left).toEqual([]);
    });

    it('beside writes leaves all or nothing of each, and what comes later begins anew', async () => {
      const agent = (await kit.tenant()).agent();
      await agent.remember({ type: 'semantic', content: 'The first.', user_id: 'u1' });
      const writes = Array.from({ length: 20 }, (_, n) =>
        agent.remember({ type: 'episodic', content: `Step ${n}.`, user_id: 'u1' }),
      );
      const [forgotten] = await Promise.allSettled([agent.forgetUser({ user_id: 'u1' }), ...writes]);
      expect(forgotten.status).toBe('fulfilled');
      const { memories } = await agent.query({ user_id: 'u1', limit: 100 });
      expect(contentsOf(memories)).not.toContain('The first.');
      for (const { id } of memories) expect((await agent.get({ id, user_id: 'u1' })).memory.version).toBe(1);
    });

    it.skipIf(isEmbedded())('takes a memory too that another transaction is changing', async () => {
      const agent = (await kit.tenant()).agent();
      const { memory } = await agent.remember({
        type: 'semantic',
        content: `A ${CANARY}.`,
        user_id: 'u1',
      });
      const { database } = kit.engine;
      const lockedBy = (pid: number) =>
        sql`SELECT FROM pg_stat_activity WHERE ${pid} = ANY(pg_blocking_pids(pid))`;
      let forgetting: Promise<unknown> = Promise.resolve();
      // As the background does that gives the memory its vector.
      await database.system(async (tx) => {
        const [own] = await rows<{ pid: number }>(
          tx,
          sql`UPDATE memories SET changed_in = pg_current_xact_id() WHERE id = ${memory.id}::uuid
              RETURNING pg_backend_pid() AS pid`,
        );
        forgetting = agent.forgetUser({ user_id: 'u1' });
        const isWaiting = async () => (await rows(database.accounts, lockedBy(own?.pid ?? 0))).length;
        await expect.poll(isWaiting).toBe(1);
      });
      expect(await forgetting).toMatchObject({ receipt: { erased: { memories: 1 } } });
      expect(await canaries('no such user')).toEqual([]);
    });

    it('finds one that another process forgot, and began anew with', async () => {
      const { tenantId, agent } = await kit.tenant();
      const draft = { type: 'semantic', content: `A ${CANARY}.`, user_id: 'u1' } as const;
      await agent().remember(draft);
      const { database } = kit.engine;
      const other = createEngine({ database, clock: kit.clock });
      await other.agent(tenantId).forgetUser({ user_id: 'u1' });
      await other.agent(tenantId).remember(draft);
      const { receipt } = await agent().forgetUser({ user_id: 'u1' });
      expect(receipt.erased.memories).toBe(1);
      expect((await agent().users()).users).toEqual([]);
    });

    it('drops what the process keeps of texts', async () => {
      let forgotten = 0;
      const embedder = { ...createStaticEmbedder(), forgetTexts: () => forgotten++ };
      const engine = createEngine({ database: kit.engine.database, clock: kit.clock, embedder });
      const { id } = await engine.tenants.create({ displayName: 'Ada', plan: 'local' });
      await engine.agent(id).remember({ type: 'semantic', content: `A ${CANARY}.`, user_id: 'u1' });
      let asked = 0;
      const remembered = keepRecent(10, () => ++asked);
      remembered(CANARY);
      await engine.agent(id).forgetUser({ user_id: 'u1' });
      remembered(CANARY);
      expect([forgotten, asked]).toEqual([1, 2]);
    });

    it('is finished in the background where it was cut off', async () => {
      const { tenantId, agent } = await kit.tenant();
      await agent().remember({ type: 'semantic', content: `A ${CANARY}.`, user_id: 'u1' });
      await cutOff(tenantId);
      await kit.engine.background.run('users.finish-erasures');
      expect(await canaries('no such user')).toEqual([]);
    });

    it('has its receipt also where the background finished it', async () => {
      const { tenantId, agent } = await kit.tenant();
      const human = kit.engine.agent(tenantId, { source: 'human', credentialId: null });
      await agent().remember({ type: 'semantic', content: `A ${CANARY}.`, user_id: 'u1' });
      await agent().remember({ type: 'semantic', content: 'Somebody else.', user_id: 'u2' });
      await human.createApiKey({ name: 'phone', user_id: 'u1' });
      const { database } = kit.engine;
      const dies: Database['system'] = () => Promise.reject(new Error('killed'));
      const { engine } = await startTestEngine({ database: { ...database, system: dies }, clock: kit.clock });
      for (const user_id of ['u2', 'u1']) {
        await expect(engine.agent(tenantId).forgetUser({ user_id })).rejects.toThrow();
      }
      await kit.engine.background.run('users.finish-erasures');
      const { entries } = await human.auditLog({ limit: 10 });
      const [act] = entries.filter((entry) => entry.act === 'user.forgotten');
      const { erasure } = await agent().erasure({ id: String(act?.touched.erasure_id) });
      expect(erasure.erased).toMatchObject({ api_keys: 1, memories: 1 });
      const { id, erased_at, erased } = erasure;
      const text = JSON.stringify([id, 'u1', erased_at, erased]);
      expect(erasure.hash).toBe(createHash('sha256').update(text).digest('hex'));
    });

    it('counts nothing in an earlier receipt of the user, which was answered as it is', async () => {
      const { tenantId, agent } = await kit.tenant();
      await agent().createApiKey({ name: 'phone', user_id: 'u1' });
      const { receipt: ofKey } = await agent().forgetUser({ user_id: 'u1' });
      kit.clock.advance(1_000);
      await agent().remember({ type: 'semantic', content: `A ${CANARY}.`, user_id: 'u1' });
      const { database } = kit.engine;
      const dies: Database['system'] = () => Promise.reject(new Error('killed'));
      const dying = createEngine({ database: { ...database, system: dies }, clock: kit.clock });
      await expect(dying.agent(tenantId).forgetUser({ user_id: 'u1' })).rejects.toThrow();
      await kit.engine.background.run('users.finish-erasures');
      const { user_id: _, ...kept } = ofKey;
      expect((await agent().erasure({ id: ofKey.id })).erasure).toEqual(kept);
    });

    it.each(['before', 'behind'])(
      'answers the receipt that is kept, where the background ends %s it',
      async (order) => {
        const { tenantId, agent } = await kit.tenant();
        await agent().remember({ type: 'semantic', content: `A ${CANARY}.`, user_id: 'u1' });
        const { database } = kit.engine;
        let forgetting: Promise<unknown> = Promise.resolve();
        // The background has found the user when the call ends.
        const inBackground: Database['read'] = async (...given) => {
          const found = await database.read(...given);
          if (order === 'behind') {
            open();
            await forgetting;
          }
          return found;
        };
        const background = createEngine({ database: { ...database, read: inBackground }, clock: kit.clock });
        let open = () => {};
        const opened = new Promise<void>((resolve) => {
          open = resolve;
        });
        let ran: Promise<unknown> | undefined;
        // The user is marked when the background begins.
        const inCall: Database['transaction'] = async (...given) => {
          const answer = await database.transaction(...given);
          if (ran) return answer;
          ran = background.background.run('users.finish-erasures');
          await (order === 'behind' ? opened : ran);
          return answer;
        };
        const call = createEngine({ database: { ...database, transaction: inCall }, clock: kit.clock });
        const answered = call.agent(tenantId).forgetUser({ user_id: 'u1' });
        forgetting = answered;
        const { receipt } = await answered;
        await ran;
        expect(receipt.erased.memories).toBe(1);
        const { user_id, ...kept } = receipt;
        expect([user_id, (await agent().erasure({ id: receipt.id })).erasure]).toEqual(['u1', kept]);
      },
    );

    it('is finished by a repeated call where it was cut off', async () => {
      const { tenantId, agent } = await kit.tenant();
      await agent().remember({ type: 'semantic', content: `A ${CANARY}.`, user_id: 'u1' });
      await cutOff(tenantId);
      const { receipt } = await agent().forgetUser({ user_id: 'u1' });
      expect(receipt.erased.memories).toBe(1);
      expect(await canaries('no such user')).toEqual([]);
      await expect(agent().forgetUser({ user_id: 'u1' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('takes nothing of a new user with the same id, whenever it is finished', async () => {
      const { tenantId, agent } = await kit.tenant();
      await agent().remember({ type: 'semantic', content: `A ${CANARY}.`, user_id: 'u1' });
      await cutOff(tenantId);
      kit.clock.advance(1_000);
      await agent().createApiKey({ name: 'phone', user_id: 'u1' });
      await agent().remember({ type: 'semantic', content: 'Begins anew.', user_id: 'u1' });
      await kit.engine.background.run('users.finish-erasures');
      expect((await agent().apiKeys()).api_keys).toMatchObject([{ name: 'phone', user_id: 'u1' }]);
      const events = await kit.engine.database.system((tx) =>
        rows(
          tx,
          sql`SELECT type FROM events WHERE tenant_id = ${tenantId}::uuid AND data ->> 'user_id' = 'u1'`,
        ),
      );
      expect(events).toEqual([{ type: 'memory.stored' }]);
      expect(contentsOf((await agent().query({ user_id: 'u1' })).memories)).toEqual(['Begins anew.']);
    });

    it('of whom only a key is kept ends the key, which opens nothing from then on', async () => {
      const { agent } = await kit.tenant();
      await agent().createApiKey({ name: 'phone', user_id: 'u1' });
      await agent().createApiKey({ name: 'tablet', user_id: 'U1' });
      const { receipt } = await agent().forgetUser({ user_id: 'u1' });
      expect(receipt.erased).toEqual({ api_keys: 1 });
      expect((await agent().apiKeys()).api_keys).toMatchObject([{ user_id: 'U1' }]);
      await expect(agent().forgetUser({ user_id: 'u1' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  });
});
