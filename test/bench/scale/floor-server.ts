import { createStaticEmbedder } from '@svc-memory/core';
import express from 'express';
import { openFloor } from './floor.ts';

/**
 * The least that a recall and a write over REST can be: Express, a JSON body, a bearer check, the same embedder, one
 * SQL statement. Settings come by environment; the address goes to stdout.
 */
const { FLOOR_URL, FLOOR_TABLE, FLOOR_TOKEN, FLOOR_EF } = process.env;
if (!FLOOR_URL || !FLOOR_TABLE || !FLOOR_TOKEN)
  throw new Error('FLOOR_URL, FLOOR_TABLE and FLOOR_TOKEN are needed');
const embedder = createStaticEmbedder();
const floor = openFloor({ url: FLOOR_URL, table: FLOOR_TABLE, ...(FLOOR_EF ? { search: FLOOR_EF } : {}) });
const vectorOf = async (text: string) => (await embedder.embed([text]))[0] ?? new Float32Array();

const app = express();
app.disable('x-powered-by');
app.use(express.json());
app.use((request, response, next) => {
  if (request.headers.authorization === `Bearer ${FLOOR_TOKEN}`) next();
  else response.status(401).json({ error: 'unauthorized' });
});
app.post('/memories', async (request, response) => {
  const { user, content } = request.body;
  response.status(201).json({ id: await floor.add(user, content, await vectorOf(content)) });
});
app.post('/memories/recall', async (request, response) => {
  const { user, query } = request.body;
  response.json({ results: await floor.recall(user, await vectorOf(query), 10) });
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
process.once('SIGTERM', () => process.exit());
