import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  applyEdits,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser';
import { writeWhole } from '../write-whole.ts';

/** A settings file that cannot be changed safely; the message names it. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * The text of a JSON settings file (comments allowed) while it is edited: what an edit does not name keeps its bytes,
 * order and comments.
 */
export class JsonFile {
  readonly path: string;
  readonly #before: string | undefined;
  #text: string;

  constructor(path: string) {
    this.path = path;
    this.#before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    this.#text = this.#before ?? '';
    if (this.#text.trim() !== '') this.#tree();
  }

  /** The value at a path; undefined where there is none. */
  get(path: JSONPath): unknown {
    const tree = this.#text.trim() === '' ? undefined : this.#tree();
    const node = tree && findNodeAtLocation(tree, path);
    return node && toValue(node);
  }

  /** Sets the value at a path; an index one beyond the end of a list appends. */
  set(path: JSONPath, value: unknown, isInsertion = false): void {
    const formattingOptions = this.#formatting();
    const text = this.#text.trim() === '' ? '{}\n' : this.#text;
    this.#text = applyEdits(
      text,
      modify(text, path, value, { formattingOptions, isArrayInsertion: isInsertion }),
    );
  }

  remove(path: JSONPath): void {
    this.set(path, undefined);
  }

  /** Writes what changed; a file that would be left empty, and was made by us, goes. Answers whether anything did. */
  save(): boolean {
    if (this.#text === (this.#before ?? '')) return false;
    if (/^\s*\{\s*\}\s*$/.test(this.#text)) {
      rmSync(this.path, { force: true });
      return true;
    }
    mkdirSync(dirname(this.path), { recursive: true });
    // A link, as those who keep their dot files elsewhere have, stays one.
    writeWhole(existsSync(this.path) ? realpathSync(this.path) : this.path, this.#text, { durable: true });
    return true;
  }

  #tree(): Node {
    const errors: ParseError[] = [];
    const tree = parseTree(this.#text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true });
    if (!tree || errors.length > 0 || tree.type !== 'object') {
      throw new SettingsError(
        `${this.path} is no valid JSON object. Mend it, then try again; nothing was changed.`,
      );
    }
    return tree;
  }

  #formatting() {
    const indent = /\n([ \t]+)"/.exec(this.#text)?.[1] ?? '  ';
    return {
      insertSpaces: !indent.startsWith('\t'),
      tabSize: indent.startsWith('\t') ? 1 : indent.length,
      eol: this.#text.includes('\r\n') ? '\r\n' : '\n',
    };
  }
}

function toValue(node: Node): unknown {
  switch (node.type) {
    case 'object':
      return Object.fromEntries(
        (node.children ?? []).map(({ children: [name, value] = [] }) => [
          name?.value,
          value && toValue(value),
        ]),
      );
    case 'array':
      return (node.children ?? []).map(toValue);
    default:
      return node.value;
  }
}
