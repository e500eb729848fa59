import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of an archive, written as it is told, true or not. */
interface ZipEntry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** Bytes where its own would be: several entries may point to the same. */
  readonly at?: number;
}

/** Writes a zip archive. PKWARE APPNOTE 4.3. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  let shared: { readonly facts: Buffer; readonly offset: number } | undefined;
  for (const { name, content = '', at } of entries) {
    const path = Buffer.from(name);
    let place = at;
    let facts = shared?.facts ?? Buffer.alloc(26);
    if (place === undefined) {
      const plain = Buffer.from(content as Uint8Array);
      const packed = deflateRawSync(plain);
      facts = factsOf(plain, packed.length);
      place = offset;
      const own = Buffer.from(facts);
      own.writeUInt16LE(path.length, 22);
      parts.push(Buffer.concat([Buffer.from('PK\x03\x04'), own, path, packed]));
      offset += 30 + path.length + packed.length;
      shared = { facts, offset: place };
    }
    const own = Buffer.from(facts);
    own.writeUInt16LE(path.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    rest.writeUInt32LE(place, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), own, rest, path]));
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  const count = Math.min(entries.length, 0xffff);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(listing.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listing, Buffer.from('PK\x05\x06'), end]);
}

function factsOf(plain: Uint8Array, packed: number): Buffer {
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt16LE(0x800, 2);
  facts.writeUInt16LE(8, 4);
  facts.writeUInt32LE(crc32(plain), 10);
  facts.writeUInt32LE(packed, 14);
  facts.writeUInt32LE(plain.length, 18);
  return facts;
}
