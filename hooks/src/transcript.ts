import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import { firstCharacters } from '@svc-memory/core/text';
import { type Fields, parseFields } from './files/fields.ts';
import { openPlainFile } from './files/plain-file.ts';
import { withoutSecrets } from './files/secrets.ts';
import type { HookFramework, TranscriptLine, TranscriptTurn } from './frameworks/framework.ts';

const CHUNK_BYTES = 1_048_576;
/** A longer line is no turn anybody said; it is passed over. */
const MOST_LINE_BYTES = 16 * 1_048_576;
const MOST_TURNS = 100;
const MOST_CHARACTERS = 100_000;
const MOST_OF_TURN = 65_536;
const MOST_TOOLS = 1_000;
const NEWLINE = 10;

/** Turns that go into one request, and where in the file reading goes on after them. */
export interface TurnBatch {
  readonly turns: readonly TranscriptTurn[];
  readonly end: number;
}

/** What to read of a transcript. */
export interface Range {
  /** Bytes read before; a file that has become shorter is read from its start. */
  readonly start: number;
  /** Bytes up to which it is read; default all. */
  readonly end?: number;
  /** True at the end of a turn: tool calls without a text after them are then read, too. */
  readonly complete: boolean;
}

/**
 * Reads a JSON Lines transcript from where the last reading ended, in batches of bounded size. A last line without its
 * end is still being written and is left for the next time; lines that are no JSON are passed over.
 */
export function* readTurns(
  path: string,
  toLine: HookFramework['toLine'],
  range: Range,
): Generator<TurnBatch> {
  const collector = new Collector();
  let end = 0;
  for (const { text, start, next } of readLines(path, range.start)) {
    if (range.end !== undefined && next > range.end) break;
    const record = parseFields(text);
    if (record) collector.add(toLine(record), start);
    end = next;
    if (collector.isFull) yield { turns: collector.take(), end };
  }
  const open = collector.openSince;
  if (range.complete) collector.closeTools();
  yield { turns: collector.take(), end: range.complete ? end : (open ?? end) };
}

/** Gathers turns. Tool calls without a text become one turn before the next text. */
class Collector {
  #turns: TranscriptTurn[] = [];
  #characters = 0;
  #tools: string[] = [];
  #toolsAt: string | undefined;
  readonly #seen = new Set<string>();
  /** Offset of the first line whose tool calls are in no turn yet. */
  openSince: number | undefined;

  get isFull(): boolean {
    return (
      this.openSince === undefined &&
      (this.#turns.length >= MOST_TURNS || this.#characters >= MOST_CHARACTERS)
    );
  }

  add({ turn, tools = [], at }: TranscriptLine, start: number): void {
    if (turn) {
      this.closeTools();
      const used = tools.length === 0 ? '' : `\n${describe(tools)}`;
      this.#push({ ...turn, content: turn.content + used });
    } else if (tools.length > 0) {
      this.openSince ??= start;
      this.#toolsAt ??= at;
      this.#tools.push(...tools);
    }
  }

  closeTools(): void {
    if (this.#tools.length > 0) {
      const time = this.#toolsAt === undefined ? {} : { occurred_at: this.#toolsAt };
      this.#push({ role: 'assistant', content: describe(this.#tools), ...time });
    }
    this.#tools = [];
    this.#toolsAt = undefined;
    this.openSince = undefined;
  }

  take(): TranscriptTurn[] {
    const turns = this.#turns;
    this.#turns = [];
    this.#characters = 0;
    return turns;
  }

  #push(turn: TranscriptTurn): void {
    const content = storableText(turn.content);
    // Some hosts write a message again when a part of it has changed.
    const said = turn.occurred_at === undefined ? undefined : `${turn.occurred_at} ${turn.role} ${content}`;
    if (content === '' || (said !== undefined && this.#seen.has(said))) return;
    if (said !== undefined) this.#seen.add(said);
    this.#turns.push({ ...turn, content });
    this.#characters += content.length;
  }
}

function describe(tools: readonly string[]): string {
  const all = `[tools used] ${tools.join('; ')}`;
  return all.length > MOST_TOOLS ? `${firstCharacters(all, MOST_TOOLS)}…` : all;
}

/** What the service can store: no NUL, no half characters, no keys, no endless pastes. */
export function storableText(content: string): string {
  const text = withoutSecrets(content.replaceAll('\u0000', '')).trim();
  if (text.length <= MOST_OF_TURN) return text.toWellFormed();
  const half = MOST_OF_TURN / 2 - 50;
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n[… ${left} characters left out …]\n${text.slice(-half)}`.toWellFormed();
}

/** Tells turns apart by who says what. */
export function turnDigest({ role, content }: TranscriptTurn): string {
  return createHash('sha256').update(`${role}\n${content}`).digest('hex');
}

/** The records of a transcript from an offset on, each with the offset behind its line; an unfinished last line is left out. */
export function* readRecords(path: string, from: number): Generator<{ record: Fields; next: number }> {
  for (const { text, next } of readLines(path, from)) {
    const record = parseFields(text);
    if (record) yield { record, next };
  }
}

/**
 * Where the last whole line of a transcript ends, read from its end on: some are gigabytes long. Of a line longer than any turn it
 * is the middle, which is passed over.
 */
export function lastLineEnd(path: string): number {
  const file = openPlainFile(path);
  try {
    const { size } = fstatSync(file);
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let end = size; end > Math.max(0, size - MOST_LINE_BYTES); end -= CHUNK_BYTES) {
      const start = Math.max(0, end - CHUNK_BYTES);
      const read = readSync(file, chunk, 0, end - start, start);
      const newline = chunk.subarray(0, read).lastIndexOf(NEWLINE);
      if (newline >= 0) return start + newline + 1;
    }
    return size <= MOST_LINE_BYTES ? 0 : size;
  } finally {
    closeSync(file);
  }
}

interface RawLine {
  readonly text: string;
  readonly start: number;
  /** Offset of the line after. */
  readonly next: number;
}

function* readLines(path: string, from: number): Generator<RawLine> {
  const file = openPlainFile(path);
  try {
    const { size } = fstatSync(file);
    let position = from <= size ? from : 0;
    let start = position;
    let held: Buffer[] = [];
    let heldBytes = 0;
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    yield { text: '', start, next: start };
    for (;;) {
      const read = readSync(file, chunk, 0, CHUNK_BYTES, position);
      if (read === 0) return;
      let begin = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0 && end < read; end = chunk.indexOf(NEWLINE, begin)) {
        const next = position + end + 1;
        const part = chunk.subarray(begin, end);
        const tooLong = heldBytes + part.length > MOST_LINE_BYTES;
        const text = tooLong ? '' : Buffer.concat([...held, part]).toString('utf8');
        yield { text, start, next };
        held = [];
        heldBytes = 0;
        start = next;
        begin = end + 1;
      }
      heldBytes += read - begin;
      // Beyond the limit only the length is kept.
      if (heldBytes <= MOST_LINE_BYTES) held.push(Buffer.from(chunk.subarray(begin, read)));
      position += read;
    }
  } finally {
    closeSync(file);
  }
}
