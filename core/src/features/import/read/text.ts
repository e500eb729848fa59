import { invalid } from '../../../kernel/contract/errors.ts';
import { yieldToEventLoop } from '../../../kernel/runtime/event-loop.ts';
import { IMPORT_LIMITS } from '../limits.ts';
import type { SourceFile } from './source-file.ts';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * The text of a file. UTF-8 with or without byte order mark, and UTF-16 with one, are read; every other encoding is
 * refused, since guessing it would store wrong letters.
 *
 * @throws SvcError `VALIDATION_ERROR` with the byte where the text stops being text.
 */
async function* readText(file: SourceFile): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let encoding: Encoding = 'utf-8';
  let bytes = 0;
  const decode = (chunk: Uint8Array | undefined) => {
    try {
      return decoder?.decode(chunk, { stream: chunk !== undefined }) ?? '';
    } catch {
      throw invalid(file.path, wrongEncoding(encoding, chunk, bytes));
    }
  };
  for await (const chunk of file.open()) {
    await yieldToEventLoop();
    if (chunk.length === 0) continue;
    if (!decoder) {
      encoding = encodingOf(chunk);
      decoder = new TextDecoder(encoding, { fatal: true });
    }
    const text = decode(chunk);
    const nul = text.indexOf('\u0000');
    if (nul >= 0) {
      throw invalid(
        file.path,
        `holds NUL characters near byte ${bytes + nul}: it is no text, or UTF-16 without a byte order mark; save it as UTF-8`,
      );
    }
    bytes += chunk.length;
    if (text !== '') yield text;
  }
  const rest = decode(undefined);
  if (rest !== '') yield rest;
}

/** The same as UTF-8 bytes, for parsers of bytes. */
export async function* readUtf8(file: SourceFile): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of readText(file)) yield encoder.encode(text);
}

/** A whole text of at most `IMPORT_LIMITS.documentCharacters`. */
export async function readDocument(file: SourceFile): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const text of readText(file)) {
    length += text.length;
    if (length > IMPORT_LIMITS.documentCharacters) {
      throw invalid(file.path, `is longer than ${IMPORT_LIMITS.documentCharacters} characters; split it`);
    }
    parts.push(text);
  }
  return parts.join('');
}

/**
 * The lines of a text without their ends, blank ones too.
 *
 * @throws SvcError `VALIDATION_ERROR` as soon as a line is longer than `IMPORT_LIMITS.recordBytes`.
 */
export async function* readLines(file: SourceFile): AsyncGenerator<string> {
  let held: string[] = [];
  let length = 0;
  let number = 1;
  for await (const text of readText(file)) {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      held.push(text.slice(start, end));
      yield held.join('');
      held = [];
      length = 0;
      number += 1;
      start = end + 1;
    }
    const rest = text.slice(start);
    length += rest.length;
    if (length > IMPORT_LIMITS.recordBytes) {
      throw invalid(file.path, `line ${number} is longer than ${IMPORT_LIMITS.recordBytes} bytes`);
    }
    if (rest !== '') held.push(rest);
  }
  if (held.length > 0) yield held.join('');
}

function encodingOf(start: Uint8Array): Encoding {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

function wrongEncoding(encoding: Encoding, chunk: Uint8Array | undefined, before: number): string {
  if (encoding !== 'utf-8') return `is not valid ${encoding.toUpperCase()}; save it as UTF-8`;
  const at = chunk ? before + firstInvalid(chunk) : before;
  return `is not valid UTF-8 near byte ${at}: it may be Latin-1 or another old encoding; save it as UTF-8`;
}

/** Where a chunk stops being UTF-8, found by halving. */
function firstInvalid(chunk: Uint8Array): number {
  let good = 0;
  let bad = chunk.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    try {
      // `stream`, so that a character cut at the middle is no mistake.
      new TextDecoder('utf-8', { fatal: true }).decode(chunk.subarray(0, middle), { stream: true });
      good = middle;
    } catch {
      bad = middle;
    }
  }
  return good;
}
