import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { StdioTransport } from './stdio-transport.ts';

it('waits for a client that reads late, without a listener for each message', async () => {
  const output = new PassThrough({ highWaterMark: 1 });
  const transport = new StdioTransport(new PassThrough(), output);
  const sending = Array.from({ length: 20 }, (_, id) => transport.send({ jsonrpc: '2.0', id, result: {} }));
  // Node warns of more than ten on standard error, which hosts show.
  expect(output.listenerCount('drain')).toBeLessThanOrEqual(10);
  output.resume();
  await Promise.all(sending);
});
