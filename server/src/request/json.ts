import { SvcError } from '@svc-memory/core/contract';

const MAX_DEPTH = 32;
const MAX_KEY_CHARACTERS = 256;
const LITERAL = /true|false|null/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Parses a JSON document.
 *
 * Stricter than `JSON.parse`: numbers must be finite, nesting is at most 32 deep and field names at most 256
 * characters long. Of a repeated field the last value counts, as in `JSON.parse`.
 *
 * @throws SvcError `VALIDATION_ERROR` naming line and column.
 */
export function parseJson(text: string): unknown {
  new Scanner(text).document();
  return JSON.parse(text);
}

/** The same for a document whose top level must be an object. */
export function parseJsonObject(text: string): Record<string, unknown> {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const message = 'must be a JSON object such as {"content": "..."}';
    throw new SvcError('VALIDATION_ERROR', `body: ${message}`, { details: [{ path: '', message }] });
  }
  return value as Record<string, unknown>;
}

/** Walks a document without building it: `JSON.parse` neither limits nesting nor says where a mistake is. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value(0);
    if (this.#at < this.#text.length) this.#fail('nothing may follow the JSON document');
  }

  #value(depth: number): void {
    this.#space();
    const next = this.#text[this.#at];
    if (next === '{') this.#list(depth + 1, '}', () => this.#member(depth + 1));
    else if (next === '[') this.#list(depth + 1, ']', () => this.#value(depth + 1));
    else if (next === '"') this.#string();
    else if (next === '-' || (next !== undefined && next >= '0' && next <= '9')) this.#number();
    else if (!this.#match(LITERAL))
      this.#fail(next === undefined ? 'the JSON ends too early' : 'a JSON value is expected');
    this.#space();
  }

  #list(depth: number, end: '}' | ']', item: () => void): void {
    if (depth > MAX_DEPTH) this.#fail(`JSON may be nested at most ${MAX_DEPTH} deep`);
    this.#at += 1;
    this.#space();
    if (this.#text[this.#at] === end) {
      this.#at += 1;
      return;
    }
    for (;;) {
      item();
      const next = this.#text[this.#at];
      if (next === end) {
        this.#at += 1;
        return;
      }
      if (next !== ',')
        this.#fail(next === undefined ? 'the JSON ends too early' : `"," or "${end}" is expected`);
      this.#at += 1;
    }
  }

  #member(depth: number): void {
    this.#space();
    if (this.#text[this.#at] !== '"') this.#fail('a field name in double quotes is expected');
    const start = this.#at;
    this.#string();
    if (this.#at - start - 2 > MAX_KEY_CHARACTERS) {
      this.#fail(`a field name may have at most ${MAX_KEY_CHARACTERS} characters`, start);
    }
    this.#space();
    if (this.#text[this.#at] !== ':') this.#fail('":" is expected');
    this.#at += 1;
    this.#value(depth);
  }

  #string(): void {
    const start = this.#at;
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) {
        this.#at += 1;
        return;
      }
      if (code < 0x20) this.#fail('control characters in strings must be escaped');
      if (code === 0x5c) this.#escape();
    }
    this.#fail('this string does not end', start);
  }

  #escape(): void {
    this.#at += 1;
    const escaped = this.#text[this.#at];
    if (escaped === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(this.#text.slice(this.#at + 1, this.#at + 5))) {
        this.#fail('\\u must be followed by four hexadecimal digits');
      }
      this.#at += 4;
    } else if (escaped === undefined || !'"\\/bfnrt'.includes(escaped))
      this.#fail('this escape does not exist in JSON');
  }

  #number(): void {
    const start = this.#at;
    if (!this.#match(NUMBER)) this.#fail('this is not a JSON number');
    if (!Number.isFinite(Number(this.#text.slice(start, this.#at))))
      this.#fail('this number is too large', start);
  }

  #space(): void {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #fail(what: string, at = this.#at): never {
    const before = this.#text.slice(0, at).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    const message = `is not valid JSON at line ${before.length}, column ${column}: ${what}`;
    throw new SvcError('VALIDATION_ERROR', `body: ${message}`, { details: [{ path: '', message }] });
  }
}
