/**
 * Serves Universal Sentence Encoder Lite as an OpenAI-compatible server has it, for evaluations with a neural model that npm carries.
 * The packages are those named in `build-static-embedder.ts`:
 *
 *   npx tsx core/scripts/serve-sentence-encoder.ts sources 8100
 *   SVC_EMBEDDER=openai:use-lite SVC_EMBEDDER_URL=http://127.0.0.1:8100/v1 npm run eval -- <data.json>
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { loadSentenceEncoder } from './static-embedder/sentence-encoder.ts';

const [folder, port = '8100'] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: serve-sentence-encoder.ts <folder with the packages> [port]\n');
  process.exit(2);
}
const encode = await loadSentenceEncoder(resolve(folder));
const server = createServer(async (request, response) => {
  const { input } = (await json(request)) as { input: readonly string[] };
  const vectors = await encode(input, () => {});
  const data = vectors.map((vector, index) => ({ index, embedding: [...vector] }));
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
});
server.listen(Number(port), '127.0.0.1');
await once(server, 'listening');
process.stderr.write(`Universal Sentence Encoder Lite at http://127.0.0.1:${port}/v1\n`);
