import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentMemory, Input } from '../../app/contract.ts';
import { CATEGORIES, MEMORY_TYPES } from '../../kernel/contract/fields.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { withoutUnseen } from '../../text/unseen.ts';
import { importAll, textOf } from '../import/import.fixture.ts';

const kit = useTestEngine();

/** Text as it may come: everything that can be stored. */
const text = (maxLength: number) =>
  fc
    .oneof(
      fc.string({ minLength: 1, maxLength, unit: 'binary' }),
      fc.constantFrom(
        'a\r\nb',
        '````text\nx\n````',
        '<!-- svc memory {} -->',
        '-->',
        '\u001b[31mred',
        '\u202Eleft',
        '# Core',
        ' x\n',
      ),
    )
    .map((value) => value.replaceAll('\u0000', '').toWellFormed())
    .filter((value) => value.trim() !== '' && !value.startsWith('\uFEFF'));
const label = (maxLength: number) =>
  text(maxLength)
    .map((value) =>
      withoutUnseen(value)
        .replace(/[\t\r\n]/g, '')
        .trim(),
    )
    .filter((value) => value !== '');

const draft: fc.Arbitrary<Input<'remember'>> = fc.record(
  {
    type: fc.constantFrom(...MEMORY_TYPES),
    category: fc.constantFrom(...CATEGORIES),
    content: text(200),
    key: label(20),
    tags: fc.array(label(20), { maxLength: 4 }),
    importance: fc.double({ min: 0, max: 1, noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
    occurred_at: fc
      .date({
        min: new Date('0002-01-01T00:00:00Z'),
        max: new Date('9998-01-01T00:00:00Z'),
        noInvalidDate: true,
      })
      .map((date) => date.toISOString()),
    session_id: label(20),
  },
  { requiredKeys: ['type', 'category', 'content'] },
);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('remember' as const), draft }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('update' as const), at: fc.nat(20), content: text(100) }),
  },
  fc.record({ do: fc.constant('forget' as const), at: fc.nat(20) }),
  fc.record({ do: fc.constant('restore' as const), at: fc.nat(20) }),
  fc.record({ do: fc.constant('undo' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Lives through some steps; what is refused on the way (protected, a key that is taken) is no part of the life. */
async function live(agent: AgentMemory, steps: readonly Step[]): Promise<void> {
  const ids: string[] = [];
  const since = kit.clock().toISOString();
  for (const action of steps) {
    kit.clock.advance(1_000);
    const id = 'at' in action ? (ids[action.at % Math.max(1, ids.length)] ?? '') : '';
    try {
      if (action.do === 'remember') ids.push((await agent.remember(action.draft)).memory.id);
      else if (action.do === 'update') await agent.update({ id, content: action.content });
      else if (action.do === 'undo') await agent.undo({ source: 'agent', since });
      else await agent[action.do]({ id });
    } catch (error) {
      expect(error).toMatchObject({
        code: expect.stringMatching(/^(NOT_FOUND|CONFLICT|FORBIDDEN|GUARDIAN_PROTECTED)$/),
      });
    }
  }
}

/** An export without what names where and when it was made. */
async function exportOf(tenantId: string, format: 'json' | 'markdown' = 'json'): Promise<string> {
  const whole = await textOf(kit.engine.streams(tenantId).export(format));
  return whole
    .replaceAll(tenantId, 'TENANT')
    .replaceAll(/"exported_at":"[^"]*"/g, '"exported_at":""')
    .replace(/^# Agent memory, .*$/m, '');
}

describe.each(['json', 'markdown'] as const)('an export as %s', (format) => {
  it('imported into an empty tenant gives back every memory, version and time, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const { tenantId, agent } = await kit.tenant();
        await live(agent(), steps);
        const before = await exportOf(tenantId);
        const file = await textOf(kit.engine.streams(tenantId).export(format));
        if (/"(core|working|episodic|semantic|archived)":\[\n/.test(before) === false) return;
        const { tenantId: empty } = await kit.tenant();
        const name = `export.${format === 'json' ? 'json' : 'md'}`;
        const actor = { source: 'human' as const, credentialId: null };
        const job = await importAll(kit, empty, { [name]: file }, { actor });
        expect(job).toMatchObject({ status: 'done', errors_count: 0 });
        expect(await exportOf(empty)).toBe(before);
        expect(await exportOf(empty, 'markdown')).toBe(await exportOf(tenantId, 'markdown'));
      }),
      { numRuns: 8 },
    );
  }, 120_000);
});

it('an export of what was known brings back chains whose middle was archived: what was replaced stays so', async () => {
  const { tenantId, agent: as } = await kit.tenant();
  const agent = as();
  const tell = async (content: string, ...supersedes: string[]) => {
    kit.clock.advance(1_000);
    const named = supersedes.length > 0 ? { supersedes } : {};
    return (await agent.remember({ type: 'semantic', content, ...named })).memory.id;
  };
  const first = await tell('Report plum.');
  const second = await tell('Report anchor.', first);
  await tell('Report violin.', second);
  await agent.forget({ id: second });
  const known_at = kit.clock();
  const file = await textOf(kit.engine.streams(tenantId).export('json', { knownAt: known_at }));
  const { tenantId: empty, agent: other } = await kit.tenant();
  await importAll(kit, empty, { 'export.json': file });
  const { memories } = await other().query({});
  expect(memories.map(({ content }) => content)).toEqual(['Report violin.']);
  const { memories: all } = await other().query({ include_superseded: true });
  expect(all.map(({ content }) => content)).toEqual(['Report violin.', 'Report plum.']);
});
