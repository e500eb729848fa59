// A LangGraph store whose items outlive the process, and are found by meaning. Run it while the service runs, with
// SVC_API_URL and SVC_API_KEY set:
//   npx tsx store.ts
import { connect } from '@svc-memory/core/client';
import { AgentMemoryStore } from '@svc-memory/langchain';

const memory = connect({ url: process.env.SVC_API_URL ?? '', apiKey: process.env.SVC_API_KEY ?? '' });
const store = new AgentMemoryStore({ memory });

await store.put(['users', 'ada'], 'drink', { likes: 'Ada drinks tea, never coffee.' });
await store.put(['users', 'ada'], 'desk', { stands: 'Her desk is on the third floor.' });
const [best] = await store.search(['users', 'ada'], { query: 'what should I offer her to drink?', limit: 1 });
process.stdout.write(`${best?.key}: ${JSON.stringify(best?.value)}\n`);
