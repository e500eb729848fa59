import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of an archive, with what it lies about. */
export interface ZipEntry {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Unix mode; default: a regular file. */
  readonly mode?: number;
  readonly flags?: number;
  readonly declaredSize?: number;
  readonly declaredCompressed?: number;
  readonly declaredChecksum?: number;
  /** Place in the archive that it says it begins at. */
  readonly at?: number;
  /** Extra fields of the entry in the directory. PKWARE APPNOTE 4.5. */
  readonly extra?: Uint8Array;
}

/** Writes a zip archive by hand, since libraries do not write hostile ones. PKWARE APPNOTE 4.3. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content as Uint8Array);
    const packed = deflateRawSync(content);
    const name = Buffer.from(entry.name);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE((entry.flags ?? 0) | 0x800, 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(entry.declaredChecksum ?? crc32(content), 10);
    facts.writeUInt32LE(entry.declaredCompressed ?? packed.length, 14);
    facts.writeUInt32LE(entry.declaredSize ?? content.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, name, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
    rest.writeUInt32LE(entry.at ?? offset, 10);
    const extra = entry.extra ?? Buffer.alloc(0);
    const listed = Buffer.from(facts);
    listed.writeUInt16LE(extra.length, 24);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), listed, rest, name, extra]));
    parts.push(local);
    offset += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(listing.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listing, Buffer.from('PK\x05\x06'), end]);
}
