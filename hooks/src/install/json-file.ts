import { existsSync, lstatSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser';
import { makeFolders, writeFileAtomically } from '../files/write-file.ts';

/** A settings file that cannot be changed safely; the message names it. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * The text of a JSON settings file (comments allowed) while it is edited. Edits add behind what is there, or take out
 * what they added: everything else keeps its bytes.
 */
export class JsonFile {
  readonly path: string;
  readonly #before: string | undefined;
  #text: string;

  /**
   * @throws SettingsError for a file that holds no JSON object, and for what is no file: a pipe may keep its reader waiting
   * forever.
   */
  constructor(path: string) {
    this.path = path;
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
      throw new SettingsError(`${path} is no file. Move it away, then try again; nothing was changed.`);
    }
    this.#before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    this.#text = this.#before?.trim() ? this.#before : '{}\n';
    this.#root();
  }

  /** The value at a path; undefined where there is none. */
  get(path: JSONPath): unknown {
    const node = this.#find(path);
    return node && getNodeValue(node);
  }

  /** A name that an object has more than once. */
  repeated(path: JSONPath): string | undefined {
    const names = this.#find(path)?.children?.map(({ children }) => String(children?.[0]?.value)) ?? [];
    return names.find((name, at) => names.indexOf(name) !== at);
  }

  /** Adds a property behind those that an object has; missing objects on the way are made. */
  add([name, ...rest]: readonly string[], value: unknown, at: JSONPath = []): void {
    if (name === undefined) return;
    const isLast = rest.length === 0;
    if (this.#find([...at, name])) {
      if (!isLast) this.add(rest, value, [...at, name]);
      return;
    }
    const inner = rest.reduceRight((held: unknown, key) => ({ [key]: held }), value);
    this.#insert(at, (indent) => `${JSON.stringify(name)}: ${this.#write(inner, indent)}`);
  }

  /** Adds an element behind those that a list has. */
  append(path: JSONPath, value: unknown): void {
    this.#insert(path, (indent) => this.#write(value, indent));
  }

  /** Takes out a property or an element. */
  remove(path: JSONPath): void {
    const found = this.#find(path);
    const node = found?.parent?.type === 'property' ? found.parent : found;
    const siblings = node?.parent?.children;
    if (!node?.parent || !siblings) return;
    const place = siblings.indexOf(node);
    const [previous, next] = [siblings[place - 1], siblings[place + 1]];
    if (previous) this.#cut(endOf(previous), endOf(node));
    else if (next) this.#cut(node.offset, next.offset);
    else this.#cut(node.parent.offset + 1, endOf(node.parent) - 1);
  }

  /**
   * Writes what changed, and removes a file in which nothing is left. Answers whether there was anything to do.
   *
   * @throws SettingsError where the file is a link that leads nowhere, as to a disk that is not mounted.
   */
  save(): boolean {
    if (this.#text === (this.#before ?? '{}\n')) return false;
    if (/^\s*\{\s*\}\s*$/.test(this.#text)) {
      rmSync(this.path, { force: true });
      return this.#before !== undefined;
    }
    makeFolders(dirname(this.path), 0o777);
    // A symbolic link stays one: its target is written.
    const isNew = this.#before === undefined;
    if (isNew && lstatSync(this.path, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new SettingsError(
        `${this.path} is a link to a file that is not there. Bring that back, or delete the link, then try again; nothing was changed.`,
      );
    }
    writeFileAtomically(isNew ? this.path : realpathSync(this.path), this.#text, {
      durable: true,
      mode: isNew ? 0o600 : statSync(this.path).mode & 0o777,
    });
    return true;
  }

  #root(): Node {
    const errors: ParseError[] = [];
    const tree = parseTree(this.#text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true });
    if (!tree || errors.length > 0 || tree.type !== 'object') {
      throw new SettingsError(
        `${this.path} is no valid JSON object. Mend it, then try again; nothing was changed.`,
      );
    }
    return tree;
  }

  #find(path: JSONPath): Node | undefined {
    return findNodeAtLocation(this.#root(), path);
  }

  #insert(path: JSONPath, write: (indent: string | undefined) => string): void {
    const node = this.#find(path);
    if (!node) return;
    const last = node.children?.at(-1);
    if (this.#isOneLine) {
      const text = last ? `,${write(undefined)}` : write(undefined);
      this.#put(last ? endOf(last) : node.offset + 1, text);
      return;
    }
    const outer = this.#indentAt(node.offset);
    const indent =
      last && this.#indentAt(last.offset) !== outer ? this.#indentAt(last.offset) : outer + this.#unit;
    if (last) this.#put(endOf(last), `,${this.#eol}${indent}${write(indent)}`);
    else {
      this.#cut(node.offset + 1, endOf(node) - 1);
      this.#put(node.offset + 1, `${this.#eol}${indent}${write(indent)}${this.#eol}${outer}`);
    }
  }

  #write(value: unknown, indent: string | undefined): string {
    if (indent === undefined) return JSON.stringify(value);
    return JSON.stringify(value, null, this.#unit).replaceAll('\n', `${this.#eol}${indent}`);
  }

  #put(at: number, text: string): void {
    this.#text = this.#text.slice(0, at) + text + this.#text.slice(at);
  }

  #cut(from: number, to: number): void {
    this.#text = this.#text.slice(0, from) + this.#text.slice(to);
  }

  /** White space at the start of the line. */
  #indentAt(offset: number): string {
    const start = this.#text.lastIndexOf('\n', offset - 1) + 1;
    return /^[ \t]*/.exec(this.#text.slice(start))?.[0] ?? '';
  }

  get #isOneLine(): boolean {
    const text = this.#text.trim();
    return text !== '{}' && !text.includes('\n');
  }

  get #unit(): string {
    return /\n([ \t]+)["/]/.exec(this.#text)?.[1] ?? '  ';
  }

  get #eol(): string {
    return this.#text.includes('\r\n') ? '\r\n' : '\n';
  }
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}
