// A conversation that no longer fits: the oldest messages are kept by the service, and its recovery takes their place.
// Run it while the service runs, with SVC_API_URL and SVC_API_KEY set:
//   npx tsx long-conversation.ts
import { compactMessages, withMemory } from '@svc-memory/ai-sdk';
import { connect } from '@svc-memory/core/client';
import { generateText, type ModelMessage } from 'ai';
import { anyModel } from './any-model.ts';

const memory = connect({ url: process.env.SVC_API_URL ?? '', apiKey: process.env.SVC_API_KEY ?? '' });
const sessionId = 'long';
const model = withMemory(anyModel, { memory, sessionId });

const messages: ModelMessage[] = [
  { role: 'user', content: 'The rollback script lives in ops/rollback.sh.' },
  { role: 'assistant', content: 'Noted.' },
];
for (let release = 1; release <= 8; release += 1) {
  messages.push({ role: 'user', content: `Release ${release} is out. ${'It went well. '.repeat(120)}` });
  messages.push({ role: 'assistant', content: `Release ${release} is noted.` });
}
messages.push({ role: 'user', content: 'Where does the rollback script live?' });

const { text } = await generateText({
  model,
  messages,
  prepareStep: async ({ messages: all }) => ({
    messages: await compactMessages(all, { memory, sessionId, maxTokens: 3_000 }),
  }),
});
process.stdout.write(`${text}\n`);
