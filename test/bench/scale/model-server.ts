import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createStaticEmbedder } from '@svc-memory/core';
import { seeded } from '../corpus.ts';

/**
 * An embedding model as people serve one beside their database, by OpenAI's interface: the static embedder's vectors,
 * turned at random into as many numbers as MODEL_DIMENSIONS says, which leaves their cosines nearly as they were. The
 * address goes to stdout.
 */
const dimensions = Number(process.env.MODEL_DIMENSIONS);
if (!(dimensions > 0)) throw new Error('MODEL_DIMENSIONS is needed');
const embedder = createStaticEmbedder();
const random = seeded(3);
const directions = Array.from({ length: embedder.dimensions }, () =>
  Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5),
);

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const { input, encoding_format } = JSON.parse(body);
  const vectors = (await embedder.embed([input].flat())).map(turned);
  const data = vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding:
      encoding_format === 'base64'
        ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
        : Array.from(vector),
  }));
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ object: 'list', model: 'bench', data, usage: {} }));
});
// Longer than any client keeps a connection that it does not use.
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit());

/** The same vector in other axes, of unit length. */
function turned(vector: Float32Array): Float32Array {
  const all = new Float32Array(dimensions);
  for (const [place, direction] of directions.entries()) {
    const value = vector[place] ?? 0;
    for (let n = 0; n < dimensions; n += 1) all[n] = (all[n] ?? 0) + value * (direction[n] ?? 0);
  }
  const length = Math.hypot(...all);
  return all.map((value) => value / length);
}
