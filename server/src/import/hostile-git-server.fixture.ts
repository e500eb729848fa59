import { createHash } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { deflateSync } from 'node:zlib';

/** Speaks Git's protocol by hand, to send what no git would: the branches as always, then whatever `send` writes as the pack. */
export function createHostileGitServer(tip: string, send: (response: ServerResponse) => void): Server {
  return createServer(async (request, response) => {
    if (request.url?.includes('/info/refs')) {
      response.setHeader('Content-Type', 'application/x-git-upload-pack-advertisement');
      response.write(line('# service=git-upload-pack\n'));
      response.end(`0000${line(`${tip} HEAD\0shallow ofs-delta\n`)}0000`);
      return;
    }
    let asked = '';
    for await (const part of request) asked += part;
    response.setHeader('Content-Type', 'application/x-git-upload-pack-result');
    response.write(`${line(`shallow ${tip}\n`)}0000`);
    if (!asked.includes('done')) {
      response.end();
      return;
    }
    response.write(line('NAK\n'));
    send(response);
  });
}

/** A pack of some kilobytes whose only file is a delta that makes `mib` MiB, and the commit that holds it. */
export function packOfLargeDelta(mib: number): { readonly tip: string; readonly pack: Buffer } {
  const base = Buffer.alloc(2 ** 20, 'a');
  const size = mib * base.length;
  // Says so many times: copy the first MiB of the base.
  const delta = Buffer.concat([
    ...[base.length, size].map(lengthOf),
    Buffer.alloc(mib * 2, Buffer.from([0xc0, 0x10])),
  ]);
  const file = createHash('sha1').update(`blob ${size}\0`);
  for (let part = 0; part < mib; part += 1) file.update(base);
  const tree = Buffer.concat([Buffer.from('100644 notes.md\0'), file.digest()]);
  const who = 'Ada <ada@example.com> 1 +0000';
  const commit = Buffer.from(
    `tree ${idOf('tree', tree).toString('hex')}\nauthor ${who}\ncommitter ${who}\n\nx\n`,
  );
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\x04', 'latin1');
  const body = Buffer.concat([
    head,
    packed(1, commit),
    packed(2, tree),
    packed(3, base),
    packed(7, delta, idOf('blob', base)),
  ]);
  const pack = Buffer.concat([body, createHash('sha1').update(body).digest()]);
  return { tip: idOf('commit', commit).toString('hex'), pack };
}

function line(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text;
}

function idOf(type: string, content: Buffer) {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest();
}

function packed(type: number, content: Buffer, base: Buffer = Buffer.alloc(0)): Buffer {
  const more = content.length >> 4;
  const first = (type << 4) | (content.length & 15) | (more > 0 ? 0x80 : 0);
  const rest = more > 0 ? lengthOf(more) : Buffer.alloc(0);
  return Buffer.concat([Buffer.from([first]), rest, base, deflateSync(content)]);
}

/** Seven bits a byte, the lowest first. */
function lengthOf(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left & 127) | 128);
  return Buffer.from([...bytes, left]);
}
