import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { NO_HASH } from '../../kernel/audit/schema.ts';
import type { Actor } from '../../kernel/context/call.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { textOf } from '../import/import.fixture.ts';

const HUMAN: Actor = { source: 'human', credentialId: '00000000-0000-4000-8000-000000000002' };
const DAY_MS = 86_400_000;
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

const kit = useTestEngine();

interface Party {
  readonly tenantId: string;
  readonly agent: AgentMemory;
  readonly human: AgentMemory;
}

async function newParty(): Promise<Party> {
  const { tenantId, agent } = await kit.tenant();
  return { tenantId, agent: agent(), human: agent(HUMAN) };
}

/** The acts of a chain, oldest first, as `act by touched`. */
async function actsOf({ agent }: Party, chain: 'account' | 'agent' = 'account') {
  const { entries } = await agent.auditLog({ chain, limit: 100 });
  return entries.map(({ act, by, touched }) => [act, by.kind, touched] as const).reverse();
}

const tamper = (statement: ReturnType<typeof sql>) =>
  kit.engine.database.system((tx) => tx.execute(statement));
const verdictOf = (party: Party, from: { from_sequence?: number; from_hash?: string } = {}) =>
  party.agent.verifyAuditLog(from);

describe('the audit log', () => {
  it('begins with the creation of the agent', async () => {
    const party = await newParty();
    expect(await actsOf(party)).toEqual([['agent.created', 'operator', {}]]);
    expect(await actsOf(party, 'agent')).toEqual([]);
  });

  it('tells what was done to keys, settings and endpoints, by whom, with ids and without secrets', async () => {
    const party = await newParty();
    const { human } = party;
    const { api_key: key, secret } = await human.createApiKey({ name: 'laptop of Maya', scope: 'read' });
    const { api_key: next } = await human.rotateApiKey({ id: key.id, overlap_hours: 0 });
    await human.revokeApiKey({ id: next.id });
    await human.revokeApiKey({ id: next.id });
    await human.setReflectConfig({ enabled: false });
    await human.setBootConfig({ episodic_limit: 4 });
    await human.setGuardianSettings({ unattended: 'nothing', categories: ['tools'] });
    await human.renameTenant({ display_name: 'Ada of the orchard' });
    const { session_key: sessionKey } = await party.agent.sessionKey();
    await party.agent.setVisibility({ tags: { 'gift for Maya': 'hidden' } }, { sessionKey });
    await human.export();
    expect((await actsOf(party)).slice(1)).toEqual([
      ['api_key.created', 'human', { key_id: key.id, scope: 'read' }],
      ['api_key.rotated', 'human', { key_id: key.id, new_key_id: next.id }],
      ['api_key.revoked', 'human', { key_id: next.id }],
      ['reflect_config.changed', 'human', { fields: ['enabled'] }],
      ['boot_config.changed', 'human', { fields: ['episodic_limit'] }],
      ['guardian_settings.changed', 'human', { fields: ['categories', 'unattended'] }],
      ['agent.renamed', 'human', {}],
      ['visibility.changed', 'agent', { fields: ['tags'] }],
      ['memories.exported', 'human', { format: 'json' }],
    ]);
    const { entries } = await party.human.exportAuditLog();
    expect(entries.at(1)?.by.credential_id).toBe(HUMAN.credentialId);
    const told = JSON.stringify(entries);
    for (const word of [secret, 'Maya', 'Ada', 'gift']) expect(told).not.toContain(word);
  });

  it('has no entry of an act that was refused or rolled back, and one of an act that was repeated by its key', async () => {
    const party = await newParty();
    const { human } = party;
    await expect(human.revokeApiKey({ id: UNKNOWN })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(human.rotateApiKey({ id: UNKNOWN })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(human.approveChange({ id: UNKNOWN })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (let time = 1; time <= 2; time += 1) {
      await human.setBootConfig({ episodic_limit: 4 }, { idempotencyKey: 'once' });
    }
    expect((await actsOf(party)).map(([act]) => act)).toEqual(['agent.created', 'boot_config.changed']);
    // The decision is written before it turns out that the key is taken.
    const core = { type: 'core', category: 'identity' } as const;
    const { memory } = await human.remember({ ...core, content: 'I am Ada.' });
    const { entry } = await party.agent.update({ id: memory.id, key: 'name' });
    await human.remember({ ...core, content: 'I am called Ada.', key: 'name' });
    const approval = human.approveChange({ id: entry?.id ?? '' });
    await expect(approval).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await actsOf(party)).map(([act]) => act)).toEqual(['agent.created', 'boot_config.changed']);
  });

  it('tells of decisions of the human, of undo and of erasure', async () => {
    const party = await newParty();
    const { agent, human } = party;
    const draft = (content: string) => ({ type: 'core' as const, category: 'identity' as const, content });
    const { memory } = await human.remember(draft('I am Ada.'));
    const refused = await agent.update({ id: memory.id, content: 'I am Bob.' });
    await human.rejectChange({ id: refused.entry?.id ?? '' });
    const approved = await agent.update({ id: memory.id, content: 'I am Ada Lovelace.' });
    await human.approveChange({ id: approved.entry?.id ?? '' });
    const withdrawn = await agent.update({ id: memory.id, content: 'I am Eve.' });
    await agent.withdrawChange({ id: withdrawn.entry?.id ?? '' });
    const note = await agent.remember({ type: 'semantic', content: 'The kettle is blue.' });
    const since = kit.clock().toISOString();
    await agent.undo({ source: 'agent', since });
    await agent.undo({ source: 'agent', since, dry_run: true });
    kit.clock.advance(31 * DAY_MS);
    await kit.engine.background.run('memory.erase-expired');
    expect((await actsOf(party)).slice(1)).toEqual([
      ['guardian.rejected', 'human', { entry_id: refused.entry?.id }],
      ['guardian.approved', 'human', { entry_id: approved.entry?.id }],
      ['memories.undone', 'agent', { source: 'agent', since }],
    ]);
    // Of single memories, which the agent may withhold from its human.
    expect(await actsOf(party, 'agent')).toEqual([
      ['guardian.withdrawn', 'agent', { entry_id: withdrawn.entry?.id }],
      ['memories.erased', 'service', { memory_ids: [note.memory.id] }],
    ]);
    for (const read of [human.auditLog, human.verifyAuditLog, human.exportAuditLog]) {
      await expect(read({ chain: 'agent' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
  });

  it('tells in the log of the agent what is done for its users, and keeps no id of a user who is forgotten', async () => {
    const party = await newParty();
    const { agent } = party;
    const user_id = 'maya@example.com';
    const { memory } = await agent.remember({ type: 'semantic', content: 'Maya likes tea.', user_id });
    await agent.export({ user_id });
    await agent.forget({ id: memory.id, user_id });
    kit.clock.advance(31 * DAY_MS);
    await kit.engine.background.run('memory.erase-expired');
    const { receipt } = await agent.forgetUser({ user_id });
    expect((await actsOf(party)).slice(1)).toEqual([
      ['memories.exported', 'agent', { format: 'json' }],
      ['user.forgotten', 'agent', { erasure_id: receipt.id }],
    ]);
    expect(await actsOf(party, 'agent')).toEqual([
      ['memories.erased', 'service', { memory_ids: [memory.id] }],
    ]);
    expect(JSON.stringify((await agent.exportAuditLog()).entries)).not.toContain('maya');
    expect(await verdictOf(party)).toMatchObject({ intact: true, entries: 3 });
  });

  it('comes newest first, in pages, of one act or a group, and of a time', async () => {
    const party = await newParty();
    const { agent, human } = party;
    await human.setBootConfig({ episodic_limit: 4 });
    kit.clock.advance(1_000);
    const since = kit.clock().toISOString();
    const { api_key: key } = await human.createApiKey({ name: 'one' });
    await human.revokeApiKey({ id: key.id });
    const until = kit.clock().toISOString();
    kit.clock.advance(1_000);
    await human.setReflectConfig({ enabled: false });
    const listed = async (asked: Parameters<typeof agent.auditLog>[0]) =>
      (await human.auditLog(asked)).entries.map(({ sequence, act }) => `${sequence} ${act}`);
    expect(await listed({ act: 'api_key.*' })).toEqual(['4 api_key.revoked', '3 api_key.created']);
    expect(await listed({ act: 'api_key.created' })).toEqual(['3 api_key.created']);
    expect(await listed({ since, until })).toEqual(['4 api_key.revoked', '3 api_key.created']);
    const first = await human.auditLog({ limit: 2 });
    expect(first.entries.map(({ sequence }) => sequence)).toEqual([5, 4]);
    const second = await human.auditLog({ limit: 3, cursor: first.next_cursor ?? '' });
    expect(second).toMatchObject({
      entries: [{ sequence: 3 }, { sequence: 2 }, { sequence: 1 }],
      next_cursor: null,
    });
    expect(second.entries.map(({ hash }) => hash).slice(1)).toEqual(
      second.entries.map(({ previous }) => previous).slice(0, -1),
    );
    await expect(human.auditLog({ act: 'kettle.boiled' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'act', message: expect.stringContaining('api_key.created') }],
    });
    await expect(human.auditLog({ act: 'api_key' })).rejects.toMatchObject({ details: [{ path: 'act' }] });
    await human.setGuardianSettings({ cooling_hours: 1 });
    expect(await listed({ act: 'guardian.*' })).toEqual([]);
    for (const cursor of ['x', Buffer.from('["2026"]').toString('base64url')]) {
      await expect(human.auditLog({ cursor })).rejects.toMatchObject({ details: [{ path: 'cursor' }] });
    }
    await expect(human.verifyAuditLog({ from_sequence: 1 })).rejects.toMatchObject({
      details: [{ path: 'from_hash' }],
    });
  });

  it('is a chain that anybody can compute anew from its export', async () => {
    const party = await newParty();
    await party.human.createApiKey({ name: 'one' });
    await party.human.setBootConfig({ episodic_limit: 4, truncate_at: 400 });
    const lines = (await textOf(kit.engine.streams(party.tenantId).exportAuditLog('ndjson')))
      .trim()
      .split('\n');
    const { entries } = await party.agent.exportAuditLog();
    expect(lines.map((line) => JSON.parse(line))).toEqual(entries);
    expect(JSON.parse(await textOf(kit.engine.streams(party.tenantId).exportAuditLog()))).toEqual(entries);
    let previous = NO_HASH;
    for (const { hash, ...entry } of entries) {
      expect(entry.previous).toBe(previous);
      expect(createHash('sha256').update(canonical(entry)).digest('hex')).toBe(hash);
      previous = hash;
    }
    const { intact, checkpoint } = await verdictOf(party);
    expect({ intact, checkpoint }).toEqual({ intact: true, checkpoint: { sequence: 3, hash: previous } });
  });

  it('is one chain also where many acts come at once', async () => {
    const party = await newParty();
    const { human, agent } = party;
    await Promise.all(
      Array.from({ length: 20 }, (_, place) => {
        if (place % 3 === 0) return human.createApiKey({ name: `key ${place}` });
        return place % 3 === 1 ? human.setBootConfig({ episodic_limit: place }) : agent.export();
      }),
    );
    expect(await verdictOf(party)).toMatchObject({ intact: true, entries: 21 });
    const { entries } = await agent.exportAuditLog();
    expect(entries.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 21 }, (_, place) => place + 1),
    );
  });

  it('is of one tenant', async () => {
    const [one, other] = [await newParty(), await newParty()];
    await one.human.createApiKey({ name: 'one' });
    expect((await actsOf(other)).map(([act]) => act)).toEqual(['agent.created']);
    expect(await verdictOf(other)).toMatchObject({ intact: true, entries: 1 });
  });
});

describe('a change of the audit log', () => {
  /** A log of six entries, and what the check finds after it was tampered with. */
  async function tampered(change: (party: Party) => Promise<unknown>, from?: { keep: number }) {
    const party = await newParty();
    for (let limit = 1; limit <= 5; limit += 1) await party.human.setBootConfig({ episodic_limit: limit });
    const { entries } = await party.agent.exportAuditLog();
    const kept = from && entries.find(({ sequence }) => sequence === from.keep);
    expect((await verdictOf(party)).intact).toBe(true);
    await change(party);
    const { broken, entries: good } = await verdictOf(
      party,
      kept && { from_sequence: kept.sequence, from_hash: kept.hash },
    );
    return broken && { ...broken, good };
  }

  const isOf = (tenantId: string) => sql`tenant_id = ${tenantId}::uuid AND chain = 'account'`;
  const entry = ({ tenantId }: Party, sequence: number) => sql`${isOf(tenantId)} AND sequence = ${sequence}`;
  const set = (change: ReturnType<typeof sql>) => (party: Party) =>
    tamper(sql`UPDATE audit_entries SET ${change} WHERE ${entry(party, 3)}`);

  it.each([
    ['act', sql`act = 'agent.renamed'`],
    ['time', sql`at = at + interval '1 millisecond'`],
    ['kind of who did it', sql`by_kind = 'operator'`],
    ['credential', sql`by_credential_id = NULL`],
    ['touched', sql`touched = '{"fields": ["token_budget"]}'`],
    ['hash', sql`hash = repeat('0', 64)`],
    ['time without an end', sql`at = 'infinity'`],
    ['time of another era', sql`at = '0044-03-15 BC'`],
    ['touched that is nothing', sql`touched = 'null'`],
  ])('shows where the %s of an entry is another', async (_name, change) => {
    expect(await tampered(set(change))).toMatchObject({ sequence: 3, reason: 'changed', good: 2 });
  });

  it.each(['[]', '5', 'true', '""', 'null'])(
    'shows where nothing that was touched became %s',
    async (other) => {
      const empty = ({ tenantId }: Party) =>
        tamper(
          sql`UPDATE audit_entries SET touched = ${other}::jsonb WHERE ${isOf(tenantId)} AND sequence = 1`,
        );
      expect(await tampered(empty)).toMatchObject({ sequence: 1, reason: 'changed', good: 0 });
    },
  );

  it.each([0, -5])('shows where an entry was added before the first, as number %i', async (place) => {
    const added = (party: Party) =>
      tamper(sql`INSERT INTO audit_entries SELECT tenant_id, chain, ${place}, at, 'user.forgotten', by_kind, by_credential_id,
        touched, hash FROM audit_entries WHERE ${entry(party, 6)}`);
    expect(await tampered(added)).toMatchObject({ sequence: 1, reason: 'changed', good: 0 });
  });

  it('shows by checkpoints of before and after where the log was computed anew between them', async () => {
    const party = await newParty();
    const { tenantId } = party;
    for (let limit = 1; limit <= 5; limit += 1) await party.human.setBootConfig({ episodic_limit: limit });
    const of = { tenantId, chain: 'account' } as const;
    const { checkpoint: before } = await kit.engine.auditLog.verify(of);
    await set(sql`act = 'agent.renamed'`)(party);
    await rehash(party, 3, 6);
    const { checkpoint: after } = await kit.engine.auditLog.verify(of);
    for (const kept of [
      [before, after],
      [after, before],
    ]) {
      const { broken } = await kit.engine.auditLog.verify(of, kept);
      expect(broken).toMatchObject({ sequence: 6, reason: 'rewritten' });
    }
  });

  it('shows where an entry was deleted in the middle, at the start, or at the end', async () => {
    const without = (sequence: number) => (party: Party) =>
      tamper(sql`DELETE FROM audit_entries WHERE ${entry(party, sequence)}`);
    expect(await tampered(without(3))).toMatchObject({ sequence: 3, reason: 'missing' });
    expect(await tampered(without(1))).toMatchObject({ sequence: 1, reason: 'missing' });
    expect(await tampered(without(6))).toMatchObject({ sequence: 6, reason: 'truncated', good: 5 });
  });

  it('shows where the entries behind a deleted one were moved up', async () => {
    const moved = async (party: Party) => {
      await tamper(sql`DELETE FROM audit_entries WHERE ${entry(party, 3)}`);
      for (const sequence of [4, 5, 6]) {
        await tamper(
          sql`UPDATE audit_entries SET sequence = ${sequence - 1} WHERE ${entry(party, sequence)}`,
        );
      }
      await tamper(sql`UPDATE audit_heads SET sequence = 5 WHERE ${isOf(party.tenantId)}`);
    };
    expect(await tampered(moved)).toMatchObject({ sequence: 3, reason: 'changed' });
  });

  it('shows where two entries changed places', async () => {
    const swapped = async (party: Party) => {
      for (const [from, to] of [
        [3, 100],
        [4, 3],
        [100, 4],
      ] as const) {
        await tamper(sql`UPDATE audit_entries SET sequence = ${to} WHERE ${entry(party, from)}`);
      }
    };
    expect(await tampered(swapped)).toMatchObject({ sequence: 3, reason: 'changed' });
  });

  it('shows where an entry was added at the end, or the head is gone or another', async () => {
    const added = (party: Party) =>
      tamper(sql`INSERT INTO audit_entries SELECT tenant_id, chain, 7, at, act, by_kind, by_credential_id, touched, hash
        FROM audit_entries WHERE ${entry(party, 6)}`);
    expect(await tampered(added)).toMatchObject({ sequence: 7, reason: 'changed' });
    const headless = ({ tenantId }: Party) => tamper(sql`DELETE FROM audit_heads WHERE ${isOf(tenantId)}`);
    expect(await tampered(headless)).toMatchObject({ reason: 'headless' });
    const other = ({ tenantId }: Party) =>
      tamper(sql`UPDATE audit_heads SET hash = repeat('1', 64) WHERE ${isOf(tenantId)}`);
    expect(await tampered(other)).toMatchObject({ sequence: 6, reason: 'headless' });
  });

  it('shows where everything was deleted, the head included', async () => {
    const gone = async ({ tenantId }: Party) => {
      await tamper(sql`DELETE FROM audit_entries WHERE ${isOf(tenantId)}`);
      await tamper(sql`DELETE FROM audit_heads WHERE ${isOf(tenantId)}`);
    };
    expect(await tampered(gone)).toMatchObject({ sequence: 1, reason: 'headless', good: 0 });
  });

  it('shows behind an entry whose own hash was computed anew', async () => {
    const anew = async (party: Party) => {
      await set(sql`act = 'agent.renamed'`)(party);
      await rehash(party, 3, 3);
    };
    expect(await tampered(anew)).toMatchObject({ sequence: 4, reason: 'changed', good: 3 });
  });

  it('shows by a checkpoint alone where all hashes and the head were computed anew', async () => {
    const forged = async (party: Party) => {
      await set(sql`act = 'agent.renamed'`)(party);
      await rehash(party, 3, 6);
    };
    expect(await tampered(forged)).toBeNull();
    expect(await tampered(forged, { keep: 2 })).toBeNull();
    expect(await tampered(forged, { keep: 6 })).toMatchObject({ sequence: 6, reason: 'rewritten' });
  });

  it('shows by a checkpoint alone where the end was cut off together with the head', async () => {
    const cut = async (party: Party) => {
      await tamper(sql`DELETE FROM audit_entries WHERE ${isOf(party.tenantId)} AND sequence > 4`);
      await rehash(party, 4, 4, true);
    };
    expect(await tampered(cut)).toBeNull();
    expect(await tampered(cut, { keep: 4 })).toBeNull();
    expect(await tampered(cut, { keep: 5 })).toMatchObject({ sequence: 5, reason: 'truncated' });
  });

  /** What an attacker does who can write everything: gives entries the hashes that fit, and the head the last one. */
  async function rehash(party: Party, first: number, last: number, moveHead = last === 6) {
    const { entries } = await party.agent.exportAuditLog();
    let previous = entries.find(({ sequence }) => sequence === first - 1)?.hash ?? NO_HASH;
    for (const { hash: _former, ...one } of entries.filter(({ sequence: at }) => at >= first && at <= last)) {
      const hash = createHash('sha256')
        .update(canonical({ ...one, previous }))
        .digest('hex');
      await tamper(sql`UPDATE audit_entries SET hash = ${hash} WHERE ${entry(party, one.sequence)}`);
      if (moveHead) {
        await tamper(
          sql`UPDATE audit_heads SET sequence = ${one.sequence}, hash = ${hash} WHERE ${isOf(party.tenantId)}`,
        );
      }
      previous = hash;
    }
  }
});

/** RFC 8785, written anew: names sorted at every depth, no spaces. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join(',')}}`;
}
