import { createHash } from 'node:crypto';
import { InvalidNamespaceError, type Item, type PutOperation } from '@langchain/langgraph-checkpoint';
import { fields, type Input, type Output } from '@svc-memory/core/contract';

type NewMemory = Input<'rememberBatch'>['memories'][number];
type Memory = Output<'query'>['memories'][number];

/** What a memory says of the item it holds. */
interface Path {
  readonly namespace: string[];
  readonly key: string;
}

/** The tag of every item of a store. */
export const STORE_TAG = 'langgraph-store';
/** The tag of items that searches by a query pass over. */
export const UNINDEXED_TAG = 'langgraph-unindexed';
// One tag for each level of the namespace, beside these two.
const DEEPEST = fields.LIMITS.tags - 2;
// As what is said: what an agent chose to remember comes first in its injections.
const IMPORTANCE = 0.3;

/**
 * Refuses a path that an item cannot have.
 *
 * @throws InvalidNamespaceError for a namespace that LangGraph refuses, or of more than 30 labels; TypeError for a key that is no
 *   text
 */
export function checkItemPath({ namespace, key }: Path): void {
  checkNamespace(namespace);
  // One of another type would be stored, and found by no key.
  if (typeof key !== 'string') {
    throw new TypeError(`The key ${JSON.stringify(key)} of an item must be a text.`);
  }
}

/**
 * An item as a memory: semantic, with one key for its exact path and one tag for each prefix of its namespace. Paths are
 * hashed whole, as JSON, so that no label can pass for the start of another, and any text may be one.
 *
 * The content is the path as JSON, and on the next line the value as JSON.
 *
 * @throws RangeError for an item of more than 32,768 characters, TypeError for a value that is no JSON object
 */
export function toNewMemory({ namespace, key, value, index }: PutOperation): NewMemory {
  const name = JSON.stringify([...namespace, key]);
  const json = toJsonObject(value, name);
  const content = `${name}\n${json}`;
  const characters = fields.characterCount(content);
  if (characters > fields.LIMITS.contentCharacters) {
    throw new RangeError(
      `The item ${name} takes ${characters} characters as JSON; the memory service holds at most ${fields.LIMITS.contentCharacters} in one. Split it, or store a reference.`,
    );
  }
  const prefixes = namespace.map((_, depth) => prefixTag(namespace.slice(0, depth + 1)));
  return {
    type: 'semantic',
    key: memoryKey({ namespace, key }),
    content,
    tags: [STORE_TAG, ...prefixes, ...(index === false ? [UNINDEXED_TAG] : [])],
    importance: IMPORTANCE,
  };
}

/** A memory as query and recall answer it; recall tells the times where it is asked to. */
interface Answered extends Pick<Memory, 'content' | 'key'> {
  readonly created_at?: string | undefined;
  readonly updated_at?: string | undefined;
}

/** The item that a memory holds, if it does. */
export function toItem(memory: Answered): Item | undefined {
  const path = readPath(memory);
  if (!path) return undefined;
  const value = parse(memory.content.slice(memory.content.indexOf('\n') + 1));
  if (typeof value !== 'object' || value === null) return undefined;
  const { created_at = '', updated_at = created_at } = memory;
  return { ...path, value, createdAt: new Date(created_at), updatedAt: new Date(updated_at) };
}

/** The path of the item that a memory holds. */
export function readPath({ content, key }: Pick<Memory, 'content' | 'key'>): Path | undefined {
  const labels = parse(content.split('\n', 1)[0] ?? '');
  if (!Array.isArray(labels) || !labels.every((label) => typeof label === 'string')) return undefined;
  const path = { namespace: labels.slice(0, -1), key: labels.at(-1) ?? '' };
  // Another memory that happens to look like one, or was changed.
  return memoryKey(path) === key ? path : undefined;
}

/** The key of the memory that holds an item. */
export function memoryKey({ namespace, key }: Path): string {
  return `${STORE_TAG}:${digest([...namespace, key])}`;
}

/** The tag of all items under a namespace. */
export function prefixTag(namespace: readonly string[]): string {
  return namespace.length === 0 ? STORE_TAG : `langgraph:${digest(namespace)}`;
}

/** What counts is the JSON: a `Date` is an object, and its JSON a text. */
function toJsonObject(value: unknown, name: string): string {
  const refuse = (cause?: unknown) =>
    new TypeError(
      `The value of the item ${name} must be an object of what JSON holds: no Date or list itself, no BigInt, no circle.`,
      { cause },
    );
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (cause) {
    throw refuse(cause);
  }
  if (!json?.startsWith('{')) throw refuse();
  return json;
}

function checkNamespace(namespace: readonly string[]): void {
  const shown = JSON.stringify(namespace);
  const refuse = (why: string) => new InvalidNamespaceError(`The namespace ${shown} ${why}.`);
  if (!Array.isArray(namespace)) throw refuse('must be a list of labels');
  if (namespace.length === 0) throw refuse('must have at least one label');
  if (namespace.length > DEEPEST) throw refuse(`has more than ${DEEPEST} labels`);
  if (namespace.some((label) => typeof label !== 'string' || label === '' || label.includes('.'))) {
    throw refuse('must consist of texts that are not empty and hold no period');
  }
  if (namespace[0] === 'langgraph') throw refuse('must not begin with "langgraph"');
}

function digest(labels: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(labels)).digest('base64url');
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
