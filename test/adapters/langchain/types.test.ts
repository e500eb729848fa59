import type { BaseListChatMessageHistory } from '@langchain/core/chat_history';
import type { BaseRetrieverInterface } from '@langchain/core/retrievers';
import { type StructuredToolInterface, tool } from '@langchain/core/tools';
import type { BaseStore } from '@langchain/langgraph';
import type { AgentMemory } from '@svc-memory/core';
import {
  AgentMemoryChatHistory,
  type AgentMemoryMetadata,
  AgentMemoryRetriever,
  AgentMemoryStore,
  agentMemoryMiddleware,
  memoryTools,
} from '@svc-memory/langchain';
import { type AgentMiddleware, createAgent } from 'langchain';
import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { ScriptedModel } from './scripted-model.ts';

declare const memory: AgentMemory;
declare const model: ScriptedModel;

/** Only looked at by the type checker. */
const unrun = (_: () => unknown): void => {};

describe('the types', () => {
  test('each part is what the framework asks for', () => {
    expectTypeOf<ReturnType<typeof agentMemoryMiddleware>>().toExtend<AgentMiddleware>();
    expectTypeOf<AgentMemoryStore>().toExtend<BaseStore>();
    expectTypeOf<AgentMemoryRetriever>().toExtend<BaseRetrieverInterface<AgentMemoryMetadata>>();
    expectTypeOf<AgentMemoryChatHistory>().toExtend<BaseListChatMessageHistory>();
  });

  test('an agent infers its own types with them', () => {
    unrun(() => {
      const look = tool(({ note }) => note, {
        name: 'look',
        description: 'Looks.',
        schema: z.object({ note: z.number() }),
      });
      const agent = createAgent({
        model,
        tools: [...memoryTools(memory), look],
        middleware: [agentMemoryMiddleware({ memory })],
        store: new AgentMemoryStore({ memory }),
        responseFormat: z.object({ city: z.string() }),
      });
      const answer = agent.invoke({ messages: [] });
      expectTypeOf(answer).resolves.toHaveProperty('structuredResponse').toEqualTypeOf<{ city: string }>();
      return answer;
    });
  });

  test('tools are as many as names, and documents know what a memory is', () => {
    unrun(() => {
      expectTypeOf(memoryTools(memory, ['svc_wip'])).toEqualTypeOf<[StructuredToolInterface]>();
      expectTypeOf(memoryTools(memory)[3]).toEqualTypeOf<StructuredToolInterface>();
      expectTypeOf(new AgentMemoryRetriever({ memory }).invoke(''))
        .resolves.items.toHaveProperty('metadata')
        .toEqualTypeOf<AgentMemoryMetadata>();
    });
  });

  test('what is required is asked for', () => {
    // @ts-expect-error the memory is required
    unrun(() => agentMemoryMiddleware({}));
    // @ts-expect-error the session is required
    unrun(() => new AgentMemoryChatHistory({ memory }));
  });
});
