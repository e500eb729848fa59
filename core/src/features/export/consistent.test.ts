import { expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { textOf } from '../import/import.fixture.ts';

/** More than one page of a section. */
const MANY = 210;

const kit = useTestEngine();

const semantic = (content: string) => ({ type: 'semantic', content }) as const;

/** An agent with more memories, archived memories and former versions than one page of an export takes. */
async function grownUp() {
  const { tenantId, agent } = await kit.tenant();
  const memory = agent();
  const ids: string[] = [];
  for (const type of ['episodic', 'semantic'] as const) {
    const memories = Array.from({ length: MANY }, (_, n) => ({ type, content: `${type} ${n}` }));
    const { memories: stored } = await memory.rememberBatch({ memories });
    ids.push(...stored.map(({ id }) => id));
  }
  kit.clock.advance(1_000);
  const since = kit.clock().toISOString();
  for (const id of ids.slice(0, 5)) await memory.update({ id, content: `second version of ${id}` });
  for (const id of ids.slice(5, 8)) await memory.forget({ id });
  kit.clock.advance(1_000);
  return { tenantId, memory, ids, since };
}

const exportOf = (tenantId: string, format: 'json' | 'markdown' = 'json') =>
  textOf(kit.engine.streams(tenantId).export(format));

/** An export during which something happens, once after each piece in turn. */
async function exportDuring(tenantId: string, happens: (() => Promise<unknown>)[]): Promise<string> {
  const parts: string[] = [];
  for await (const part of kit.engine.streams(tenantId).export()) {
    parts.push(part);
    // Only what comes after the first page: before it there is no moment yet that the export shows.
    if (parts.length > 1) await happens.shift()?.();
  }
  expect(happens).toHaveLength(0);
  return parts.join('');
}

const everything = (memory: AgentMemory, ids: readonly string[], since: string) => {
  const at = (place: number) => ids.at(place) ?? '';
  return [
    () => memory.remember(semantic('written during the export')),
    () => memory.update({ id: at(0), content: 'a third version' }),
    () => memory.update({ id: at(-1), content: 'changed before its page' }),
    () => memory.update({ id: at(-2), type: 'working' }),
    () => memory.update({ id: at(-3), occurred_at: '1990-01-01T00:00:00Z' }),
    () => memory.forget({ id: at(-4) }),
    () => memory.restore({ id: at(5) }),
    () => memory.undo({ source: 'agent', since }),
  ];
};

it('an export shows one moment: what is written, changed, moved, archived, restored or undone meanwhile is not in it', async () => {
  const { tenantId, memory, ids, since } = await grownUp();
  const before = await exportOf(tenantId);
  expect(before.match(/"(?:id|memory_id)":/g)).toHaveLength(2 * MANY + 5 + 3);
  const during = await exportDuring(tenantId, everything(memory, ids, since));
  expect(
    during === before.replace(/"exported_at":"[^"]*"/, /"exported_at":"[^"]*"/.exec(during)?.[0] ?? ''),
  ).toBe(true);
  // The undo reached what the export showed.
  expect(await exportOf(tenantId)).toContain('"undone":true');
});

it('what changed during an export comes back from it as it was when it began', async () => {
  const { tenantId, memory, ids, since } = await grownUp();
  const before = await exportOf(tenantId, 'markdown');
  const during = await exportDuring(tenantId, everything(memory, ids, since));
  const { tenantId: empty } = await kit.tenant();
  const files = (async function* () {
    yield {
      path: 'export.json',
      bytes: (async function* () {
        yield Buffer.from(during);
      })(),
    };
  })();
  const { job } = await kit.engine.streams(empty).import(files);
  await kit.engine.background.run('jobs.work');
  expect((await kit.engine.agent(empty).job({ id: job?.id ?? '' })).job).toMatchObject({
    status: 'done',
    errors_count: 0,
  });
  const withoutHead = (text: string) => text.slice(text.indexOf('## Core'));
  expect(withoutHead(await exportOf(empty, 'markdown')) === withoutHead(before)).toBe(true);
});

it('what is erased for good during an export is left out of the rest of it, and nothing else is', async () => {
  const { tenantId, memory, ids } = await grownUp();
  const archived = ids.slice(5, 8);
  const during = await exportDuring(tenantId, [
    async () => {
      kit.clock.advance(31 * 86_400_000);
      await kit.engine.background.run('memory.erase-expired');
    },
  ]);
  for (const id of archived) expect(during).not.toContain(id);
  expect(during.match(/"(?:id|memory_id)":/g)).toHaveLength(2 * MANY + 5 - 3);
  await memory.remember(semantic('goes on'));
});
