// What is said in one conversation is known in the next. Run it while the service runs, with SVC_API_URL and SVC_API_KEY set:
//   npx tsx two-conversations.ts
import { withMemory } from '@svc-memory/ai-sdk';
import { connect } from '@svc-memory/core/client';
import { generateText } from 'ai';
import { anyModel } from './any-model.ts';

const memory = connect({ url: process.env.SVC_API_URL ?? '', apiKey: process.env.SVC_API_KEY ?? '' });

const monday = withMemory(anyModel, { memory, sessionId: 'monday' });
await generateText({ model: monday, prompt: 'Our deploys are frozen on Fridays.' });

// Nothing of Monday is sent along.
const tuesday = withMemory(anyModel, { memory, sessionId: 'tuesday' });
const { text } = await generateText({ model: tuesday, prompt: 'When are deploys frozen?' });
process.stdout.write(`${text}\n`);
