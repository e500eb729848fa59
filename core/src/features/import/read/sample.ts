import { Tokenizer, TokenParser } from '@streamparser/json';
import { yieldToEventLoop } from '../../../kernel/runtime/event-loop.ts';
import type { SourceFile } from './source-file.ts';

const HEAD_BYTES = 256 * 1024;
const MOST_PATHS = 2_000;
/** Bytes that are parsed at once. */
const PIECE = 8 * 1024;
const NAMED_AS_TEXT = /\.(md|markdown|mdx|txt|text|log|json|jsonl|ndjson|af)$/i;
const LOOKED_AT = 4_096;
// Of the characters looked at; logs hold some, such as colours.
const MOST_STRANGE = 0.05;

/** How Git LFS begins what stands in a repository for a file that is kept elsewhere. */
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';

/** The beginning of a file, from which its format is told. */
export interface Sample {
  readonly kind: 'json' | 'jsonl' | 'text' | 'zip' | 'binary' | 'lfs-pointer' | 'empty';
  /**
   * Places in the JSON of its beginning, lists as `[]`: `$[].mapping`, `$.memories[].id`. Of JSON Lines those of the
   * first line.
   */
  readonly paths: ReadonlySet<string>;
  /** The text of its beginning; empty for what is not read as text. */
  readonly head: string;
}

/** Looks at the beginning of a file. */
export async function takeSample(file: SourceFile): Promise<Sample> {
  const bytes = await readHead(file);
  if (bytes.length === 0) return { kind: 'empty', paths: new Set(), head: '' };
  if (isZip(bytes)) return { kind: 'zip', paths: new Set(), head: '' };
  const head = decodeHead(file.path, bytes);
  if (head === undefined) return { kind: 'binary', paths: new Set(), head: '' };
  if (head.startsWith(LFS_POINTER)) return { kind: 'lfs-pointer', paths: new Set(), head: '' };
  const start = head.trimStart();
  if (!start.startsWith('{') && !start.startsWith('[')) return { kind: 'text', paths: new Set(), head };
  const line = firstLine(start);
  if (line !== undefined && (/\.(jsonl|ndjson)$/i.test(file.path) || isFollowedByObject(start, line))) {
    return { kind: 'jsonl', paths: await shapeOf(line), head };
  }
  const paths = await shapeOf(start);
  return { kind: paths.size > 0 ? 'json' : 'text', paths, head };
}

async function readHead(file: SourceFile): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file.open()) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES);
}

function isZip(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 4);
  return start === 'PK\u0003\u0004' || start === 'PK\u0005\u0006';
}

/** The text as far as it goes; undefined for what is none. The reader of the whole file says what is wrong with it. */
function decodeHead(path: string, bytes: Buffer): string | undefined {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  const text = new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes);
  // Of a file that is named as text the reader says what is wrong with it.
  return NAMED_AS_TEXT.test(path) || !isStrange(text.slice(0, LOOKED_AT)) ? text : undefined;
}

function isStrange(text: string): boolean {
  const strange = text.match(/[\p{Cc}\uFFFD]/gu)?.filter((character) => !/\s/.test(character)) ?? [];
  return strange.length > text.length * MOST_STRANGE;
}

/** The first line where it is a JSON object of its own. */
function firstLine(start: string): string | undefined {
  const line = start.split('\n', 1)[0]?.trim() ?? '';
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? line : undefined;
  } catch {
    return undefined;
  }
}

function isFollowedByObject(start: string, line: string): boolean {
  return start.slice(line.length).trimStart().startsWith('{');
}

/** Where values stand in JSON that may break off. */
async function shapeOf(json: string): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  const assembler = new TokenParser({ keepStack: false });
  assembler.onValue = ({ key, stack }) => {
    if (paths.size >= MOST_PATHS) return;
    const steps = [...stack.slice(1).map((level) => level.key), key];
    let path = '$';
    for (const step of steps) {
      if (step !== undefined) path += typeof step === 'number' ? '[]' : `.${step}`;
      paths.add(path);
    }
  };
  const tokenizer = new Tokenizer();
  tokenizer.onToken = (token) => assembler.write(token);
  const bytes = new TextEncoder().encode(json);
  for (let start = 0; start < bytes.length && paths.size < MOST_PATHS; start += PIECE) {
    await yieldToEventLoop();
    try {
      tokenizer.write(bytes.subarray(start, start + PIECE));
    } catch {
      // It breaks off, or is no JSON after all: what was seen until there counts.
      break;
    }
  }
  return paths;
}
