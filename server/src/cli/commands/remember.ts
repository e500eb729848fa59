import { text as readText } from 'node:stream/consumers';
import type { Input } from '@svc-memory/core';
import { fields } from '@svc-memory/core/contract';
import { reach } from '../access/reach.ts';
import { argument, type CommandContext, defineCommand, option } from '../console/command.ts';
import { readField, readNumber } from '../console/read-field.ts';

type NewMemory = Input<'remember'>;

export default defineCommand({
  name: 'remember',
  description: 'Store a memory',
  arguments: [argument('<text...>', 'What to remember; - reads it from stdin')],
  options: [
    option('--type <type>', 'Type of the memory').choices(fields.MEMORY_TYPES).default('semantic'),
    option('--category <category>', 'Category; a core memory needs one').choices(fields.CATEGORIES),
    option('--key <key>', 'Key: the memory that has it already is updated').argParser(
      readField('--key', fields.key),
    ),
    option('--tags <tags>', 'Tags, with commas between them').argParser(
      readField('--tags', fields.tags, splitTags),
    ),
    option('--importance <number>', 'From 0 to 1; default 0.5').argParser(
      readNumber('--importance', fields.importance),
    ),
    option('--json', 'Print JSON'),
  ],
  examples: [
    'npx svc-memory remember "Ada prefers tea"',
    'npx svc-memory remember --type core --category identity "I am Ada. I help with research."',
    'git log -1 | npx svc-memory remember --type episodic -',
  ],
  run: store,
});

interface RememberOptions extends Omit<NewMemory, 'content'> {
  readonly json?: true;
}

/** Stores a memory, and prints its id. */
async function store(
  context: CommandContext,
  words: readonly string[],
  { json, ...fields }: RememberOptions,
): Promise<void> {
  const said = words.join(' ');
  const content = said === '-' ? await readText(process.stdin) : said;
  return reach(context, async ({ memory }) => {
    const answer = await memory.remember({ ...fields, content });
    const { terminal } = context;
    if (json) terminal.out(JSON.stringify(answer, null, 2));
    else terminal.out(`${OUTCOMES[answer.outcome] ?? answer.outcome} ${answer.memory.id}`);
    if (answer.redacted) terminal.err('svc: A secret was taken out of it before it was stored.');
  });
}

const OUTCOMES: Readonly<Record<string, string>> = {
  created: 'Remembered:',
  updated: 'Updated:',
  queued: 'It waits for the human, who protects what it would change:',
  unchanged: 'Remembered already:',
  merged: 'Remembered already, and completed:',
};

function splitTags(text: string): string[] {
  return text.split(',').map((tag) => tag.trim());
}
