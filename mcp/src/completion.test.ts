import { expect, it, vi } from 'vitest';
import { useTestEngine } from '../../core/src/testing/engine.fixture.ts';
import type { ClientState } from './client-state.ts';
import { complete } from './completion.ts';
import { MEMORY_TEMPLATE } from './resources.ts';

const kit = useTestEngine();

it('keeps of the memories that arguments are completed from what completes them, and not for long', async () => {
  const { agent } = await kit.tenant();
  const memory = agent();
  const { memory: stored } = await memory.remember({ type: 'semantic', content: 'A long story.' });
  const state: ClientState = {};
  const asked = {
    ref: { type: 'ref/resource' as const, uri: MEMORY_TEMPLATE },
    argument: { name: 'id', value: '' },
  };
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { signal } = new AbortController();
  expect((await complete(memory, asked, { state, signal })).completion.values).toEqual([stored.id]);
  expect(JSON.stringify(state)).toContain(stored.id);
  expect(JSON.stringify(state)).not.toContain('story');
  vi.advanceTimersByTime(30_000);
  expect(state).toEqual({});
  vi.useRealTimers();
});
