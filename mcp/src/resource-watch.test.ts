import type { Actor } from '@svc-memory/core';
import { expect, it, vi } from 'vitest';
import { useTestEngine } from '../../core/src/testing/engine.fixture.ts';
import { ResourceWatch } from './resource-watch.ts';
import { BOOT } from './resources.ts';

const kit = useTestEngine();

it.each<[string, Partial<Actor>]>([
  ['of the agent', {}],
  ['that is bound to a user', { boundTo: 'u1' }],
  ['that may only read', { readOnly: true }],
])('tells a key %s that its boot has changed', async (_, key) => {
  const { agent } = await kit.tenant();
  const memory = agent({ source: 'agent', credentialId: null, ...key });
  const changed: string[] = [];
  const watch = new ResourceWatch(
    async () => memory,
    (uri) => void changed.push(uri),
    { everyMs: 20 },
  );
  await watch.follow([BOOT]);
  expect(changed).toEqual([]);
  const user = key.boundTo === undefined ? {} : { user_id: key.boundTo };
  await agent().remember({ type: 'working', content: 'Call Ada back.', ...user });
  await vi.waitFor(() => expect(changed).toContain(BOOT), 10_000);
  watch.stop();
});

it('answers who follows in order, and no one before it knows how things are', async () => {
  const { agent } = await kit.tenant();
  const answered: string[] = [];
  let connect: (() => void) | undefined;
  const connected = new Promise<void>((resolve) => {
    connect = resolve;
  });
  const watch = new ResourceWatch(
    () => connected.then(() => agent()),
    () => {},
  );
  const following = watch.follow([BOOT]).then(() => answered.push('asked'));
  const left = watch.follow([]).then(() => answered.push('taken back'));
  // Whoever does not wait has answered by the next turn of the event loop.
  await new Promise(setImmediate);
  expect(answered).toEqual([]);
  connect?.();
  await Promise.all([following, left]);
  expect(answered).toEqual(['asked', 'taken back']);
  watch.stop();
});
