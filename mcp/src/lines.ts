/** One line of input, without its end. Of a line over the limit only the beginning and the end are kept. */
export interface InputLine {
  readonly bytes: Buffer;
  readonly tooLong: boolean;
}

const NEWLINE = 0x0a;
// Enough to find the id of a request at either end.
const KEPT_BYTES = 1_024;

/** Splits a byte stream into lines, and holds no more than a limit of any line. */
export class LineSplitter {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that end within this chunk. */
  *push(chunk: Buffer): Generator<InputLine> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      this.#keep(chunk.subarray(start, end === -1 ? undefined : end));
      if (end === -1) return;
      yield this.#take();
      start = end + 1;
    }
  }

  /** The bytes after the last newline; to be read when the input has ended. */
  rest(): InputLine {
    return this.#take();
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#size += part.length;
    this.#parts.push(part);
    if (this.#size <= this.#limit) return;
    const all = Buffer.concat(this.#parts);
    const beginning = all.subarray(0, KEPT_BYTES);
    // Copies, so that the rest of the line is freed.
    this.#parts = [
      Buffer.from(beginning),
      Buffer.from(all.subarray(Math.max(KEPT_BYTES, all.length - KEPT_BYTES))),
    ];
  }

  #take(): InputLine {
    const line = { bytes: Buffer.concat(this.#parts), tooLong: this.#size > this.#limit };
    this.#parts = [];
    this.#size = 0;
    return line;
  }
}
