import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { importAll, textOf } from '../import/import.fixture.ts';
import { memories } from '../records/schema.ts';

const kit = useTestEngine();

const UNSEEN = ['\u200b', '\u202e', '\u2060', '\ufeff', '\u00ad', '\u{e0041}', '\u3164', '\u2800', '\u2028'];
const note = { type: 'working', content: 'Ada is here.' } as const;

describe.each(
  UNSEEN.map((character) => [character.codePointAt(0)?.toString(16).toUpperCase() ?? '', character]),
)('U+%s', (code, character) => {
  const refusal = (path: string) => ({
    code: 'VALIDATION_ERROR',
    details: [
      { path, message: `must not contain characters that cannot be seen (here U+${code.padStart(4, '0')})` },
    ],
  });

  it('is refused in a key, a tag and a session id, wherever it stands', async () => {
    const agent = (await kit.tenant()).agent();
    const { memory } = await agent.remember({ ...note, key: 'who' });
    for (const label of [`who${character}`, `${character}who`, `w${character}ho`]) {
      await expect(agent.remember({ ...note, key: label })).rejects.toMatchObject(refusal('key'));
      await expect(agent.update({ id: memory.id, key: label })).rejects.toMatchObject(refusal('key'));
      await expect(agent.remember({ ...note, tags: ['a', label] })).rejects.toMatchObject(refusal('tags.1'));
      await expect(agent.remember({ ...note, session_id: label })).rejects.toMatchObject(
        refusal('session_id'),
      );
      await expect(agent.rememberBatch({ memories: [note, { ...note, key: label }] })).rejects.toMatchObject(
        refusal('memories.1.key'),
      );
      await expect(agent.syncWorking({ content: 'x', key: label })).rejects.toMatchObject(refusal('key'));
    }
    const files = [{ path: `w${character}ho.md`, content: '# Soul\nx' }];
    await expect(agent.syncCore({ files })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'files.0.path' }],
    });
    expect((await agent.query({})).memories).toHaveLength(1);
  });

  it('is taken out of labels that come from elsewhere', async () => {
    const { tenantId, agent } = await kit.tenant();
    const rows = [{ content: 'From elsewhere.', tags: [`to${character}do`, character], type: 'semantic' }];
    await importAll(kit, tenantId, { 'notes.json': JSON.stringify(rows) });
    expect((await agent().query({})).memories).toMatchObject([{ tags: ['todo'] }]);
  });
});

it('takes keys and tags that look the same for the same', async () => {
  const agent = (await kit.tenant()).agent();
  const { memory } = await agent.remember({ ...note, key: 'café au lait', tags: ['é', 'e\u0301'] });
  expect(memory.tags).toEqual(['é']);
  for (const key of ['cafe\u0301 au lait', 'café\u00a0au\u3000lait', ' café au lait\u00a0']) {
    const again = await agent.remember({ ...note, key });
    expect(again.memory.id).toBe(memory.id);
  }
});

it('keeps emoji and joined letters in keys and tags', async () => {
  const agent = (await kit.tenant()).agent();
  const labels = ['👩‍💻 work', 'می‌خواهم', '❤️'];
  const { memory } = await agent.remember({ ...note, key: labels[0], tags: labels });
  expect(memory).toMatchObject({ key: labels[0], tags: labels });
});

it('reads, changes and moves a memory whose labels are older than these rules', async () => {
  const { tenantId, agent } = await kit.tenant();
  const { memory } = await agent().remember({ ...note, key: 'who', tags: ['a'] });
  const old = { key: 'wh\u200bo', tags: ['a\u202e', '\u2060'] };
  await kit.engine.database.system(async (tx) => {
    await tx.update(memories).set(old).where(eq(memories.id, memory.id));
  });
  expect((await agent().get({ id: memory.id })).memory).toMatchObject(old);
  expect((await agent().query({})).memories).toMatchObject([old]);
  await agent().update({ id: memory.id, content: 'Ada was here.' });
  const document = await textOf(kit.engine.streams(tenantId).export('json'));
  const other = await kit.tenant();
  await importAll(kit, other.tenantId, { 'export.json': document });
  expect((await other.agent().query({})).memories).toMatchObject([{ key: 'who', tags: ['a'], version: 2 }]);
  const { versions } = await other.agent().history({ id: memory.id });
  expect(versions).toHaveLength(2);
});
