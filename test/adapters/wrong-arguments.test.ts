import * as aiSdk from '@svc-memory/ai-sdk';
import { connect } from '@svc-memory/core/client';
import * as langchain from '@svc-memory/langchain';
import { describe, expect, it } from 'vitest';
import { useTestEngine } from '../../core/src/testing/engine.fixture.ts';

/** Arguments as a caller without types passes them. */
const untyped = (value: unknown) => value as never;

describe.each<[string, { readonly memory?: unknown } | undefined]>([
  ['nothing', undefined],
  ['an empty object', {}],
  ['no memory', { memory: undefined }],
  ['the options of connect', { memory: { url: 'http://127.0.0.1:3000', apiKey: 'svc_x' } }],
  ['a promise of a memory', { memory: Promise.resolve({}) }],
])('%s in place of options', (_, options) => {
  it.each<[string, () => unknown]>([
    ['memoryMiddleware', () => aiSdk.memoryMiddleware(untyped(options))],
    ['compactMessages', () => aiSdk.compactMessages([], untyped(options))],
    ['agentMemoryMiddleware', () => langchain.agentMemoryMiddleware(untyped(options))],
    ['AgentMemoryStore', () => new langchain.AgentMemoryStore(untyped(options ?? {}))],
    ['AgentMemoryRetriever', () => new langchain.AgentMemoryRetriever(untyped(options ?? {}))],
    [
      'AgentMemoryChatHistory',
      () => new langchain.AgentMemoryChatHistory(untyped({ sessionId: 's', ...options })),
    ],
    ['memoryTools', () => aiSdk.memoryTools(untyped(options?.memory))],
    ['memoryTools', () => langchain.memoryTools(untyped(options?.memory))],
  ])('is refused by %s, with the fix', async (name, make) => {
    const made = async () => make();
    await expect(made()).rejects.toThrow(TypeError);
    await expect(made()).rejects.toThrow(
      `${name}: memory is required; pass { memory: connect({ url, apiKey }) }`,
    );
  });
});

it.each([undefined, null, 'openai/gpt-5'])('withMemory names its model: %j', (model) => {
  expect(() => aiSdk.withMemory(untyped(model), untyped({}))).toThrow('withMemory: model must be');
});

it('connect names what is missing', () => {
  expect(() => connect(untyped({}))).toThrow(/^url: is required/);
  expect(() => connect(untyped({ url: 'http://127.0.0.1:3000' }))).toThrow(/^apiKey: is required/);
  expect(() => connect(untyped(undefined))).toThrow(/^options: must be/);
});

describe('a plugin', () => {
  const kit = useTestEngine();

  it.each([
    [undefined, 'plugin must be an object'],
    [() => {}, 'plugin must be an object'],
    [{}, 'plugin.name must be a text'],
    [{ name: 'mine' }, 'plugin.hooks of mine must be an object'],
    [{ name: 'mine', hooks: [] }, 'plugin.hooks of mine must be an object'],
    [{ name: 'mine', 'memory:stored': () => {} }, 'plugin.hooks of mine must be an object'],
    [
      { name: 'mine', hooks: { 'memory:store': () => {} } },
      'has no hook "memory:store": use memory:beforeStore',
    ],
    [{ name: 'mine', hooks: { event: 'log' } }, 'plugin.hooks["event"] of mine must be a function'],
  ])('of the wrong shape is refused at once: %j', async (plugin, message) => {
    expect(() => kit.engine.use(untyped(plugin))).toThrow(TypeError);
    expect(() => kit.engine.use(untyped(plugin))).toThrow(message);
    const agent = (await kit.tenant()).agent();
    expect((await agent.remember({ type: 'working', content: 'x' })).outcome).toBe('created');
  });

  it('may leave hooks out, or be an instance of a class', () => {
    class Mine {
      readonly name = 'mine';
      readonly hooks = { event: undefined };
    }
    expect(() => kit.engine.use(untyped(new Mine()))).not.toThrow();
  });
});
