import {
  compactMessages,
  type MemoryTool,
  type memoryMiddleware,
  memoryTools,
  withMemory,
} from '@svc-memory/ai-sdk';
import type { AgentMemory } from '@svc-memory/core';
import type * as ai7 from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import type * as ai6 from 'ai6';
import { describe, expectTypeOf, test } from 'vitest';

declare const memory: AgentMemory;
declare const model7: MockLanguageModelV4;
declare const messages6: ai6.ModelMessage[];
declare const messages7: ai7.ModelMessage[];

/** Only looked at by the type checker. */
const unrun = (_: () => unknown): void => {};

describe('the types', () => {
  test('one middleware fits both versions', () => {
    type Middleware = ReturnType<typeof memoryMiddleware>;
    expectTypeOf<Middleware>().toExtend<ai6.LanguageModelMiddleware>();
    expectTypeOf<Middleware>().toExtend<ai7.LanguageModelMiddleware>();
  });

  test('compacted messages are of the version that they came from', () => {
    unrun(() => {
      expectTypeOf(compactMessages(messages6, { memory, maxTokens: 1 })).resolves.toEqualTypeOf<
        ai6.ModelMessage[]
      >();
      expectTypeOf(compactMessages(messages7, { memory, maxTokens: 1 })).resolves.toEqualTypeOf<
        ai7.ModelMessage[]
      >();
      const prepareStep6: ai6.PrepareStepFunction = async ({ messages }) => ({
        messages: await compactMessages(messages, { memory, maxTokens: 1 }),
      });
      const prepareStep7: ai7.PrepareStepFunction<ai7.ToolSet> = async ({ messages }) => ({
        messages: await compactMessages(messages, { memory, maxTokens: 1 }),
      });
      return [prepareStep6, prepareStep7];
    });
  });

  // Their schemas are of the version that is installed; test/full tries them with 6.
  test('tools fit the tools of the SDK, under the names asked for', () => {
    expectTypeOf<Record<'svc_recall', MemoryTool>>().toExtend<ai7.ToolSet>();
    unrun(() => {
      expectTypeOf(memoryTools(memory)).toHaveProperty('svc_remember');
      expectTypeOf(memoryTools(memory, ['svc_wip'])).toEqualTypeOf<Record<'svc_wip', MemoryTool>>();
    });
  });

  test('a model with memory is a model', () => {
    unrun(() => expectTypeOf(withMemory(model7, { memory })).toExtend<ai7.LanguageModel>());
    // @ts-expect-error the memory is required
    unrun(() => withMemory(model7, {}));
    // @ts-expect-error the limit is required
    unrun(() => compactMessages(messages7, { memory }));
  });
});
