import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { invalid } from '../../../kernel/contract/errors.ts';
import { yieldToEventLoop } from '../../../kernel/runtime/event-loop.ts';
import { IMPORT_LIMITS } from '../limits.ts';
import type { SourceFile } from './source-file.ts';
import { readLines, readUtf8 } from './text.ts';

/** One JSON value of a file, and where it stood: keys and places in lists, from the outside in. */
export interface JsonRecord {
  readonly at: readonly (string | number)[];
  readonly value: unknown;
}

/**
 * Streams the values at some paths of a JSON file: `$.memories.*`, `$.*`, or `$` for the whole. What is at no path is
 * read over and dropped, so that memory holds one record at a time.
 *
 * @throws SvcError `VALIDATION_ERROR` with the byte, for damaged or truncated JSON, for records that are too long and
 *   for nesting that is too deep.
 */
export async function* readJson(file: SourceFile, paths: readonly string[]): AsyncGenerator<JsonRecord> {
  const parser = createParser(file, paths);
  for await (const chunk of readUtf8(file)) {
    // In pieces, so that an ever longer record is noticed early.
    for (let start = 0; start < chunk.length; start += PIECE) {
      await yieldToEventLoop();
      yield* parser.write(chunk.subarray(start, start + PIECE));
    }
  }
  parser.end();
}

/**
 * The values of a JSON Lines file, one a line; blank lines are passed over.
 *
 * @throws SvcError `VALIDATION_ERROR` with the line, for a line that is no JSON or is too long.
 */
export async function* readJsonLines(file: SourceFile): AsyncGenerator<JsonRecord> {
  let number = 0;
  for await (const line of readLines(file)) {
    number += 1;
    await yieldToEventLoop();
    if (line.trim() === '') continue;
    yield { at: [number], value: parseLine(file, line, number) };
  }
}

/** Bytes that are parsed at once: a few milliseconds, whatever they hold. */
const PIECE = 8 * 1024;

function createParser(file: SourceFile, paths: readonly string[]) {
  const tokenizer = new Tokenizer({ stringBufferSize: 64 * 1024 });
  const assembler = new TokenParser({ paths: [...paths], keepStack: false });
  let found: JsonRecord[] = [];
  let written = 0;
  let depth = 0;
  const members = createMemberCount();
  // Where the record being read began: everything since then is held in memory.
  let held = 0;
  let ended = false;
  const depths = paths.map((path) => path.split('.').length - 1);
  const [outermost, innermost] = [Math.min(...depths), Math.max(...depths)];

  assembler.onValue = ({ value, key, stack }) => {
    const at = [...stack.slice(1).map((level) => level.key), key];
    found.push({ at: at.filter((step) => step !== undefined), value });
  };
  tokenizer.onToken = (token) => {
    const { token: kind, offset } = token;
    if (kind === TokenType.LEFT_BRACE || kind === TokenType.LEFT_BRACKET) {
      depth += 1;
      if (depth > IMPORT_LIMITS.jsonDepth) {
        throw invalid(file.path, `nests deeper than ${IMPORT_LIMITS.jsonDepth} levels at byte ${offset}`);
      }
      members.open(depth);
    } else if (kind === TokenType.RIGHT_BRACE || kind === TokenType.RIGHT_BRACKET) depth -= 1;
    // Of the lists that hold the records, none is held in memory.
    else if (kind === TokenType.COMMA && depth > innermost && !members.takeNext(depth)) {
      throw invalid(file.path, `the object or list at byte ${offset} ${TOO_MANY}`);
    }
    const before = found.length;
    assembler.write(token);
    // What stands outside of a wanted record is dropped once it is complete.
    if (found.length > before || depth <= outermost) held = offset;
    if (depth === 0) ended = true;
  };

  const run = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (error instanceof Error && error.name === 'SvcError') throw error;
      throw invalid(file.path, `is no valid JSON: ${explain(error)}`);
    }
  };
  return {
    write(chunk: Uint8Array): JsonRecord[] {
      // White space may follow the value; anything else is caught by the tokenizer.
      if (ended && isBlank(chunk)) return [];
      run(() => tokenizer.write(chunk));
      written += chunk.length;
      if (written - held > IMPORT_LIMITS.recordBytes) {
        throw invalid(
          file.path,
          `the record at byte ${held} is longer than ${IMPORT_LIMITS.recordBytes} bytes`,
        );
      }
      const ready = found;
      found = [];
      return ready;
    },
    end(): void {
      if (ended) return;
      throw invalid(file.path, `is no valid JSON: it ends in the middle of a value, at byte ${written}`);
    },
  };
}

const TOO_MANY = `has more than ${IMPORT_LIMITS.jsonMembers} fields or items`;

/**
 * Counts the fields of the objects and the items of the lists that are open: checking one takes all of the event loop, a
 * microsecond a member and more.
 */
function createMemberCount() {
  const counts: number[] = [];
  return {
    open(depth: number): void {
      counts[depth] = 1;
    },
    /** Counts what comes after a comma at a depth; false where that is too many. */
    takeNext(depth: number): boolean {
      const count = (counts[depth] ?? 1) + 1;
      counts[depth] = count;
      return count <= IMPORT_LIMITS.jsonMembers;
    },
  };
}

function isBlank(chunk: Uint8Array): boolean {
  return chunk.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
}

/** The library's words, shortened: they may quote a character of the file, never more. */
function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const at = /absolute position "(\d+)"/.exec(message)?.[1];
  const unexpected = /^Unexpected "(.)"/su.exec(message)?.[1];
  if (at === undefined) return message.replaceAll(/\s+/g, ' ').slice(0, 120);
  return `unexpected ${JSON.stringify(unexpected ?? '')} at byte ${at}`;
}

function parseLine(file: SourceFile, line: string, number: number): unknown {
  const excess = excessOf(line);
  if (excess !== undefined) throw invalid(file.path, `line ${number} ${excess}`);
  try {
    return JSON.parse(line);
  } catch {
    throw invalid(file.path, `line ${number} is no valid JSON`);
  }
}

/** What there is too much of in a line of JSON. */
function excessOf(line: string): string | undefined {
  let depth = 0;
  let inString = false;
  const members = createMemberCount();
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > IMPORT_LIMITS.jsonDepth) return `nests deeper than ${IMPORT_LIMITS.jsonDepth} levels`;
      members.open(depth);
    } else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' && !members.takeNext(depth)) return TOO_MANY;
  }
  return undefined;
}
