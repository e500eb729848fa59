// Memory as files, for any model: here we give the commands that a model would. Run it while the service runs, with
// SVC_API_URL and SVC_API_KEY set:
//   npx tsx files.ts

import { memoryFileTool } from '@svc-memory/ai-sdk';
import { connect } from '@svc-memory/core/client';

const memory = connect({ url: process.env.SVC_API_URL ?? '', apiKey: process.env.SVC_API_KEY ?? '' });
// generateText({ model, tools: { memory: tool }, ... }), or
// anthropic.tools.memory_20250818({ execute: tool.execute })
const tool = memoryFileTool(memory);

const path = '/memories/orchard/deploys.md';
for (const command of [
  { command: 'create', path, file_text: '# Deploys\n\nFrozen on Fridays.\n' },
  { command: 'insert', path, insert_line: 3, insert_text: 'Maya approves exceptions.' },
  { command: 'view', path },
]) {
  process.stdout.write(`${await tool.execute(command, {})}\n`);
}
const { results } = await memory.recall({ query: 'who may approve a deploy on a Friday?' });
process.stdout.write(`recall finds ${results[0]?.key}\n`);
