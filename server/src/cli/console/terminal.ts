import { once } from 'node:events';
import { styleText } from 'node:util';
import { escapeUnseen } from '@svc-memory/core/text';

type Format = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

/** Text with the codes of its format around it, which no other text can bring to a terminal. */
class Styled {
  readonly #shown: string;
  constructor(shown: string) {
    this.#shown = shown;
  }
  toString(): string {
    return this.#shown;
  }
}

/** Where a command writes. Results go to `out`, everything said about them to `err`; both name unseen characters. */
export interface Terminal {
  /** Writes its parts as one line. */
  out(...parts: readonly (string | Styled)[]): void;
  err(text: string): void;
  /**
   * Writes a part of a result, and waits while the reader is slower.
   *
   * @throws the system's error where no more can be written, so that nothing goes on that only makes more of the result.
   */
  write(text: string): Promise<void>;
  /** Where progress is shown; undefined where stderr is no terminal. */
  readonly screen?: NodeJS.WriteStream;
  /** Formats text for `out` where that is a terminal that wants colours; plain text otherwise. */
  style(format: Format, text: string): string | Styled;
  /** Waits until all of the result is written; the system's error where it could not be. */
  written(): Promise<NodeJS.ErrnoException | undefined>;
}

interface Streams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The terminal of a process. Colours only on a TTY, and not under `NO_COLOR` or `TERM=dumb`. */
export function createTerminal({ stdout, stderr, env }: Streams): Terminal {
  const colours = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  let failure: NodeJS.ErrnoException | undefined;
  stdout.on('error', (error) => {
    failure ??= error;
  });
  // Of what cannot be said nobody can be told.
  stderr.on('error', () => {});
  return {
    out: (...parts) => void stdout.write(`${parts.map(show).join('')}\n`),
    err: (text) => void stderr.write(`${escapeUnseen(text)}\n`),
    write: async (text) => {
      if (stdout.writable && !stdout.write(text)) await takenOrLeft(stdout);
      if (failure) throw failure;
    },
    ...(stderr.isTTY ? { screen: stderr } : {}),
    style: (format, text) =>
      colours ? new Styled(styleText(format, escapeUnseen(text), { validateStream: false })) : text,
    written: () =>
      // What was written before has its outcome then.
      new Promise((resolve) => stdout.write('', () => setImmediate(() => resolve(failure)))),
  };
}

/** Escapes control characters, so that stored text cannot move the cursor or hide output. JSON stays the same JSON. */
function show(part: string | Styled): string {
  return part instanceof Styled ? String(part) : escapeUnseen(part);
}

/** Resolves when a stream takes more, or never will. */
async function takenOrLeft(stream: NodeJS.WriteStream): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    // An error is dealt with where all errors of the stream are.
    await Promise.race(['drain', 'close'].map((event) => once(stream, event, { signal }).catch(() => {})));
  } finally {
    settled.abort();
  }
}

/** Lines up columns with two spaces between them. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  const line = (row: readonly string[]) =>
    row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}

/** Text on one line: the name of a file may hold line breaks, and could pass for several lines of a list. */
export function oneLine(text: string): string {
  return text.replaceAll('\n', '\\n');
}

/** A number with its noun: `1 memory`, `2 memories`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}
