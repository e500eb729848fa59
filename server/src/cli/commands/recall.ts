import type { Output } from '@svc-memory/core';
import { fields } from '@svc-memory/core/contract';
import { reach } from '../access/reach.ts';
import { argument, type CommandContext, defineCommand, option } from '../console/command.ts';
import { readNumber } from '../console/read-field.ts';

type Recalled = Output<'recall'>['results'][number];
type MemoryType = Recalled['type'];

export default defineCommand({
  name: 'recall',
  description: 'Find memories by meaning, best first',
  arguments: [argument('<query...>', 'What to look for')],
  options: [
    option('--type <types...>', 'Only memories of these types').choices(fields.MEMORY_TYPES),
    option('--limit <number>', 'Most results; default 10').argParser(readNumber('--limit', fields.limit)),
    option('--json', 'Print JSON'),
  ],
  examples: [
    'npx svc-memory recall what does Ada drink',
    'npx svc-memory recall "the kettle" --limit 3 --json',
  ],
  run: find,
});

interface RecallOptions {
  readonly type?: MemoryType[];
  readonly limit?: number;
  readonly json?: true;
}

/** Prints what is recalled, one memory a paragraph. */
async function find(
  { terminal, ...context }: CommandContext,
  words: readonly string[],
  { type: types, limit, json }: RecallOptions,
): Promise<void> {
  return reach({ terminal, ...context }, async ({ memory }) => {
    const answer = await memory.recall({ query: words.join(' '), types, limit });
    if (json) terminal.out(JSON.stringify(answer, null, 2));
    else if (answer.results.length === 0) terminal.out('Nothing was found.');
    else terminal.out(answer.results.map(shown).join('\n\n'));
    if (answer.degraded) terminal.err('svc: The embedder is away: only words were compared.');
  });
}

function shown({ content, type, category, similarity, occurred_at, id }: Recalled): string {
  const kind = category === null ? type : `${type}, ${category}`;
  return `${content}\n  (${kind}; ${occurred_at.slice(0, 10)}; relevance ${similarity.toFixed(2)}; ${id})`;
}
