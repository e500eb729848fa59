import { expect, it } from 'vitest';
import { AGENT, systemContext } from '../../kernel/commit/system-context.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { servicesOf } from '../guardian/background.fixture.ts';
import type { ChangePolicy } from './change-policy.ts';
import { forget } from './forget.ts';
import { rememberBatch } from './remember.ts';
import { restore } from './restore.ts';
import { undo } from './undo/undo.ts';
import { update } from './update.ts';

/** Lets every change happen at once. */
const allowAll: ChangePolicy = {
  submit: async () => undefined,
  refuseWhilePending: async () => {},
  assertApproved: async () => {},
  submitAdditions: async () => new Map(),
  recordAdditions: async () => {},
  submitUndo: async () => 'apply',
  recordUndone: async () => {},
  cancelPending: async () => 0,
};

const kit = useTestEngine();

it('with a policy that allows all, memory works without the Guardian', async () => {
  const { agent, tenantId } = await kit.tenant();
  const since = kit.clock();
  const call = () => systemContext({ ...servicesOf(kit), changePolicy: allowAll }, tenantId, AGENT);
  const souls = Array.from({ length: 30 }, (_, n) => ({
    type: 'core' as const,
    category: 'soul' as const,
    content: `I keep promise ${n}.`,
  }));
  const { results, memories } = await rememberBatch(await call(), { memories: souls });
  expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['created']));
  const id = memories[0]?.id ?? '';
  expect(await update(await call(), { id, content: 'I keep no promise.' })).toMatchObject({
    outcome: 'updated',
  });
  expect(await forget(await call(), { id })).toMatchObject({ memory: { archived_at: expect.any(String) } });
  expect(await restore(await call(), { id })).toMatchObject({ memory: { content: 'I keep no promise.' } });
  expect((await undo(await call(), { source: 'agent', since, dry_run: false })).changes).toMatchObject({
    archived: 30,
    queued: 0,
  });
  expect((await agent().guardianQueue()).entries).toEqual([]);
});
