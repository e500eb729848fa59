import { once } from 'node:events';
import { styleText } from 'node:util';
import { escapeUnseen } from '@svc-memory/core/text';

const ESCAPE = '\u001B';
// What `style` writes around a text.
const STYLE = new RegExp(`(${ESCAPE}\\[(?:1|2|22|31|32|33|39)m)`);

type Format = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

/** Where a command writes. Results go to `out`, everything said about them to `err`; both name unseen characters. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Writes a part of a result, and waits while the reader is slower. */
  write(text: string): Promise<void>;
  /** Where progress is shown; undefined where stderr is no terminal. */
  readonly screen?: NodeJS.WriteStream;
  /** Formats text for `out` where that is a terminal that wants colours; plain text otherwise. */
  style(format: Format, text: string): string;
}

interface Streams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The terminal of a process. Colours only on a TTY, and not under `NO_COLOR` or `TERM=dumb`. */
export function createTerminal({ stdout, stderr, env }: Streams): Terminal {
  const colours = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  // A reader may stop early (`svc export | head`): that is no failure.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  return {
    out: (text) => void stdout.write(`${showUnseen(text)}\n`),
    err: (text) => void stderr.write(`${showUnseen(text)}\n`),
    write: async (text) => {
      if (stdout.writable && !stdout.write(text)) await takenOrLeft(stdout);
    },
    ...(stderr.isTTY ? { screen: stderr } : {}),
    style: (format, text) => (colours ? styleText(format, text, { validateStream: false }) : text),
  };
}

/** Escapes control characters, so that stored text cannot move the cursor or hide output. JSON stays the same JSON. */
function showUnseen(text: string): string {
  return text
    .split(STYLE)
    .map((part) => (STYLE.test(part) ? part : escapeUnseen(part)))
    .join('');
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

/** A number with its noun: `1 memory`, `2 memories`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}
