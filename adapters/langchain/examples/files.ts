// Memory as files, for any model: here we give the commands that a model would. Run it while the service runs, with
// SVC_API_URL and SVC_API_KEY set:
//   npx tsx files.ts
import { connect } from '@svc-memory/core/client';
import { memoryFileTool } from '@svc-memory/langchain';

const memory = connect({ url: process.env.SVC_API_URL ?? '', apiKey: process.env.SVC_API_KEY ?? '' });
// createAgent({ model, tools: [files] }), or
// memory_20250818({ execute: (command) => files.invoke(command) }) of @langchain/anthropic
const files = memoryFileTool(memory);

const path = '/memories/orchard/harvest.md';
for (const command of [
  { command: 'create', path, file_text: 'The apples are picked in September.\n' },
  { command: 'str_replace', path, old_str: 'September', new_str: 'October' },
  { command: 'view', path: '/memories' },
]) {
  process.stdout.write(`${await files.invoke(command)}\n`);
}
