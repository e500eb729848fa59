// What is said in one thread is known in the next. Run it while the service runs, with SVC_API_URL and SVC_API_KEY set:
//   npx tsx two-threads.ts
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { connect } from '@svc-memory/core/client';
import { agentMemoryMiddleware } from '@svc-memory/langchain';
import { createAgent } from 'langchain';

const memory = connect({ url: process.env.SVC_API_URL ?? '', apiKey: process.env.SVC_API_KEY ?? '' });

// Any chat model; this one needs no key and always says the same. We look at what it is given.
const model = new FakeListChatModel({ responses: ['I see.'] });
const agent = createAgent({ model, middleware: [agentMemoryMiddleware({ memory })] });
const say = (content: string, thread_id: string) => {
  const handleChatModelStart = (_: unknown, [input]: { text: string }[][]) =>
    process.stdout.write(`${input?.[0]?.text}\n`);
  const config = { configurable: { thread_id }, callbacks: [{ handleChatModelStart }] };
  return agent.invoke({ messages: [{ role: 'user', content }] }, config);
};

await say('Our deploys are frozen on Fridays.', 'monday');
// Nothing of Monday's thread is sent along.
await say('When are deploys frozen?', 'tuesday');
