import type { Readable, Writable } from 'node:stream';
import { type JSONRPCMessage, ProtocolErrorCode, type Transport } from '@modelcontextprotocol/server';
import { type InputLine, LineSplitter } from './lines.ts';
import { type Id, type Problem, readMessage } from './message.ts';

/** The longest line that is read. The service takes 1 MiB a call; more is allowed for escapes. */
const LINE_BYTES = 10 * 1024 * 1024;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * MCP over lines of JSON. Unlike the SDK's own transport it answers a line that is no message with a JSON-RPC error and goes
 * on, however long the line is: a broken line must not cost the agent its memory for the rest of the session.
 */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  /** Sees each message before it is handled, and answers what is to be handled. */
  onread?: (message: JSONRPCMessage) => JSONRPCMessage | Promise<JSONRPCMessage>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new LineSplitter(LINE_BYTES);

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#read);
    this.#input.once('end', this.#end);
    this.#input.on('error', this.#fail);
  }

  async close(): Promise<void> {
    this.#input.off('data', this.#read);
    this.#input.off('end', this.#end);
    this.#input.off('error', this.#fail);
    this.#input.pause();
    this.onclose?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(message);
  }

  readonly #read = (chunk: Buffer): void => {
    for (const line of this.#lines.push(chunk)) this.#take(line);
  };

  readonly #end = (): void => this.#take(this.#lines.rest());

  readonly #fail = (error: Error): void => this.onerror?.(error);

  #take(line: InputLine): void {
    if (isBlank(line)) return;
    try {
      const read = readLine(line);
      if ('message' in read) {
        const handed = this.onread?.(read.message) ?? read.message;
        if (handed instanceof Promise) handed.then((message) => this.onmessage?.(message)).catch(this.#fail);
        else this.onmessage?.(handed);
      } else this.#refuse(read);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #refuse({ code, problem, id }: Problem): void {
    this.onerror?.(new Error(problem));
    if (code === undefined) return;
    void this.#write({ jsonrpc: '2.0', id: id ?? null, error: { code, message: problem } });
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve) => {
      this.#output.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
  }
}

function isBlank({ bytes, tooLong }: InputLine): boolean {
  // Space, tab and carriage return.
  return !tooLong && bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function readLine({ bytes, tooLong }: InputLine): { readonly message: JSONRPCMessage } | Problem {
  // Lossy: of a line that is refused, to find its id.
  const lossy = bytes.toString('utf8');
  if (tooLong) {
    const problem = `Invalid request: the line is longer than ${LINE_BYTES / 1024 / 1024} MiB; send less in one call`;
    return { code: ProtocolErrorCode.InvalidRequest, problem, id: idAtEnds(lossy) };
  }
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    return {
      code: ProtocolErrorCode.ParseError,
      problem: 'Parse error: the line is not UTF-8',
      id: idAtEnds(lossy),
    };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { code: ProtocolErrorCode.ParseError, problem: 'Parse error: the line is not JSON' };
  }
  return readMessage(value, 'line');
}

const END_CHARACTERS = 1_024;
const FIRST_ID = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d{1,15}|"[^"\\]{1,200}")\s*,/;
const LAST_ID = /,\s*"id"\s*:\s*(-?\d{1,15}|"[^"\\]{1,200}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** The id of a request that cannot be read whole, where it is the object's first or last field, as clients write it. */
function idAtEnds(text: string): Id | undefined {
  const [, id] =
    FIRST_ID.exec(text.slice(0, END_CHARACTERS)) ?? LAST_ID.exec(text.slice(-END_CHARACTERS)) ?? [];
  return id === undefined ? undefined : (JSON.parse(id) as Id);
}
