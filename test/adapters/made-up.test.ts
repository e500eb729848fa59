import { readFile } from 'node:fs/promises';
import type { AgentMemory } from '@svc-memory/core';
import { describe, expect, test } from 'vitest';
import { useTestEngine } from '../../core/src/testing/engine.fixture.ts';
import { memoryPlugin } from './made-up.ts';
import { type Line, openChat } from './made-up-framework.ts';

const kit = useTestEngine();
let memory: AgentMemory;

/** A bot that notes what it sees. */
function bot() {
  const inputs: string[] = [];
  const answer = (lines: readonly Line[]) => {
    inputs.push(lines.map(({ says }) => says).join('\n'));
    return `Answer ${inputs.length}.`;
  };
  return { inputs, answer };
}

const tell = async (say: (text: string) => Promise<string>, from: number, to: number) => {
  for (let turn = from; turn <= to; turn += 1) await say(`Turn ${turn}.`);
};

describe('an adapter written from adapters/README.md', () => {
  test('is shorter than 60 lines, as its page is than 100', async () => {
    const linesOf = async (file: string) =>
      (await readFile(new URL(file, import.meta.url), 'utf8')).trimEnd().split('\n').length;
    expect(await linesOf('./made-up.ts')).toBeLessThan(60);
    expect(await linesOf('../../adapters/README.md')).toBeLessThanOrEqual(100);
  });

  test('boots, recovers what was cut, and keeps each turn once', async () => {
    memory = (await kit.tenant()).agent();
    await memory.remember({ type: 'core', category: 'identity', content: 'I am Ada.' });
    const { inputs, answer } = bot();
    const say = openChat('c1', answer, { plugin: memoryPlugin({ memory }), most: 10 });
    await say('The gate code is 4471.');
    expect(inputs[0]).toContain('- [identity, not confirmed by the human] I am Ada.');
    await tell(say, 2, 30);
    await say('What is the gate code?');
    expect(inputs.at(-1)).toContain('# MEMORY RECOVERY');
    expect(inputs.at(-1)).toContain('The gate code is 4471.');
    expect((await memory.status()).counts.episodic).toBe(62);
  });

  test('a memory that is away does not hurt the chat', async () => {
    const warnings: unknown[] = [];
    const gone = () => Promise.reject(new Error('away'));
    const silent = () => new Promise<never>(() => {});
    const onWarning = (cause: unknown) => warnings.push(cause);
    const plugin = memoryPlugin({
      memory: { ...memory, boot: gone, compaction: silent },
      timeoutMs: 10,
      onWarning,
    });
    const { inputs, answer } = bot();
    const say = openChat('c2', answer, { plugin, most: 4 });
    await tell(say, 1, 4);
    expect(inputs.at(-1)).toContain('Turn 4.');
    expect(warnings.length).toBeGreaterThan(4);
  });
});
