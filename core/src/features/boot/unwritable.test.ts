import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const kit = useTestEngine();

/** Has Postgres refuse each write while `work` runs. */
async function refusing<T>(refusal: string, work: () => Promise<T>): Promise<T> {
  const { accounts } = kit.engine.database;
  const onEachTable = (statement: string) =>
    accounts.execute(
      sql.raw(`DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP EXECUTE format('${statement}', name); END LOOP;
      END $$`),
    );
  await accounts.execute(
    sql.raw(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${refusal}'; END $$`),
  );
  await onEachTable('CREATE TRIGGER a_refuse BEFORE INSERT OR UPDATE ON %I EXECUTE FUNCTION refuse()');
  try {
    return await work();
  } finally {
    await onEachTable('DROP TRIGGER a_refuse ON %I');
  }
}

async function oldAgent() {
  const { agent } = await kit.tenant();
  const memory = agent();
  await memory.boot();
  await memory.remember({ type: 'core', category: 'soul', content: 'I keep my promises.' });
  return memory;
}

const REASONS = [
  ['disk_full', 'the disk of the database is full; make room on it', '53100'],
  ['read_only_sql_transaction', 'the database takes no changes now', '25006'],
] as const;
const told = (reason: string) => `\n- No session key, and nothing can be stored now: ${reason}\n`;

describe.each(REASONS)('where a write fails with %s', (refusal, reason, code) => {
  it('a boot gives the injection without a session key, and says why', async () => {
    const memory = await oldAgent();
    const { injection } = await refusing(refusal, () => memory.boot());
    expect(injection).toContain('I keep my promises.');
    expect(injection).toContain(told(reason));
    expect(injection).not.toContain('svs_');
    expect((await memory.boot()).injection).toMatch(/- Session key: svs_/);
  });

  it('the first boot does, too, and the guide comes with the next one', async () => {
    const memory = (await kit.tenant()).agent();
    expect((await refusing(refusal, () => memory.boot())).injection).toContain(told(reason));
    expect((await memory.boot()).injection).toContain('[reorient, key orientation] Orientation');
  });

  it('a compaction without turns does, too', async () => {
    const memory = await oldAgent();
    const calls = [{}, { transcript: [] }, { phase: 'pre' as const }];
    for (const call of calls) {
      const { injection, metadata } = await refusing(refusal, () => memory.compaction(call));
      expect(injection).toContain('I keep my promises.');
      expect(injection).toContain(told(reason));
      expect(metadata.stored_turns).toBe(0);
    }
  });

  it.each(['pre', 'post'] as const)(
    'turns that cannot be kept fail a compaction of phase %s',
    async (phase) => {
      const memory = await oldAgent();
      const call = { phase, transcript: [{ role: 'user', content: 'Deploy to staging.' }], session_id: 's1' };
      await expect(refusing(refusal, () => memory.compaction(call))).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: `${reason} (${code})`,
      });
      const kept = await memory.compaction(call);
      expect(kept.metadata.stored_turns).toBe(1);
      const again = await refusing(refusal, () => memory.compaction(call));
      expect(again.injection).toContain(told(reason));
    },
  );

  it('what stores something fails', async () => {
    const memory = await oldAgent();
    const storing = () => memory.remember({ type: 'working', content: 'x' });
    await expect(refusing(refusal, storing)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
