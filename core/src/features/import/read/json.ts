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
  const parser = new RecordParser(file, paths);
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

/** Parses JSON piece by piece and picks out the records. */
class RecordParser {
  readonly #path: string;
  readonly #tokenizer = new Tokenizer({ stringBufferSize: 64 * 1024 });
  readonly #assembler: TokenParser;
  readonly #nesting = new Nesting();
  /** How deep the records stand, at least and at most. */
  readonly #depths: { readonly least: number; readonly most: number };
  #found: JsonRecord[] = [];
  #written = 0;
  /** Where the record being read began: everything since then is held in memory. */
  #held = 0;
  #ended = false;

  constructor({ path }: SourceFile, paths: readonly string[]) {
    this.#path = path;
    this.#assembler = new TokenParser({ paths: [...paths], keepStack: false });
    this.#assembler.onValue = ({ value, key, stack }) => {
      const at = [...stack.slice(1).map((level) => level.key), key];
      this.#found.push({ at: at.filter((step) => step !== undefined), value });
    };
    this.#tokenizer.onToken = (token) => this.#take(token);
    const depths = paths.map((one) => one.split('.').length - 1);
    this.#depths = { least: Math.min(...depths), most: Math.max(...depths) };
  }

  /** @returns the records that are complete with this piece. */
  write(chunk: Uint8Array): JsonRecord[] {
    // White space may follow the value; anything else is caught by the tokenizer.
    if (this.#ended && isBlank(chunk)) return [];
    try {
      this.#tokenizer.write(chunk);
    } catch (error) {
      if (error instanceof Error && error.name === 'SvcError') throw error;
      throw invalid(this.#path, `is no valid JSON: ${explain(error)}`);
    }
    this.#written += chunk.length;
    if (this.#written - this.#held > IMPORT_LIMITS.recordBytes) {
      throw invalid(
        this.#path,
        `the record at byte ${this.#held} is longer than ${IMPORT_LIMITS.recordBytes} bytes`,
      );
    }
    const ready = this.#found;
    this.#found = [];
    return ready;
  }

  end(): void {
    if (this.#ended) return;
    throw invalid(this.#path, `is no valid JSON: it ends in the middle of a value, at byte ${this.#written}`);
  }

  #take(token: Parameters<Tokenizer['onToken']>[0]): void {
    const { token: kind, offset } = token;
    const nesting = this.#nesting;
    if (kind === TokenType.LEFT_BRACE || kind === TokenType.LEFT_BRACKET) {
      if (!nesting.open()) throw invalid(this.#path, `${TOO_DEEP} at byte ${offset}`);
    } else if (kind === TokenType.RIGHT_BRACE || kind === TokenType.RIGHT_BRACKET) nesting.close();
    // Of the lists that hold the records, none is held in memory.
    else if (kind === TokenType.COMMA && nesting.depth > this.#depths.most && !nesting.next()) {
      throw invalid(this.#path, `the object or list at byte ${offset} ${TOO_MANY}`);
    }
    const before = this.#found.length;
    this.#assembler.write(token);
    // What stands outside of a wanted record is dropped once it is complete.
    if (this.#found.length > before || nesting.depth <= this.#depths.least) this.#held = offset;
    if (nesting.depth === 0) this.#ended = true;
  }
}

const TOO_DEEP = `nests deeper than ${IMPORT_LIMITS.jsonDepth} levels`;
const TOO_MANY = `has more than ${IMPORT_LIMITS.jsonMembers} fields or items`;

/**
 * Follows the objects and lists that are open, and counts the members of each: checking one takes all of the event loop, a
 * microsecond a member and more.
 */
class Nesting {
  depth = 0;
  readonly #members: number[] = [];

  /** An object or a list begins; false where that is too deep. */
  open(): boolean {
    this.depth += 1;
    this.#members[this.depth] = 1;
    return this.depth <= IMPORT_LIMITS.jsonDepth;
  }

  close(): void {
    this.depth -= 1;
  }

  /** A comma: another member follows; false where that is too many. */
  next(): boolean {
    const count = (this.#members[this.depth] ?? 1) + 1;
    this.#members[this.depth] = count;
    return count <= IMPORT_LIMITS.jsonMembers;
  }
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
  const nesting = new Nesting();
  let inString = false;
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index];
    if (character === '"') inString = !inString;
    // What is escaped ends no string.
    else if (inString) index += character === '\\' ? 1 : 0;
    else if (character === '}' || character === ']') nesting.close();
    else if ((character === '{' || character === '[') && !nesting.open()) return TOO_DEEP;
    else if (character === ',' && !nesting.next()) return TOO_MANY;
  }
  return undefined;
}
