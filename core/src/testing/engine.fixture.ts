import { afterAll, beforeAll } from 'vitest';
import type { EngineOptions } from '../app/create-services.ts';
import { startTestEngine, type TestEngine } from './index.ts';

/** One test engine for the tests of a file or of a `describe`: started before the first of them, closed after the last. */
export function useTestEngine(options: Partial<EngineOptions> = {}): TestEngine {
  let kit: TestEngine | undefined;
  beforeAll(async () => {
    kit = await startTestEngine(options);
  });
  afterAll(() => kit?.close());
  const started = () => {
    if (!kit) throw new Error('The engine starts in beforeAll: use it in a test or a later hook.');
    return kit;
  };
  return {
    get engine() {
      return started().engine;
    },
    get clock() {
      return started().clock;
    },
    tenant: (plan) => started().tenant(plan),
    close: () => started().close(),
  };
}
