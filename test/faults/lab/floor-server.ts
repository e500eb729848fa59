import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A service that does the same at each call, about as much as ours: where its calls take longer, the machine is busier.
const WORK = Buffer.alloc(4 * 1024 * 1024);

const server = createServer((_request, response) => {
  response.end(createHash('sha256').update(WORK).digest('hex'));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
