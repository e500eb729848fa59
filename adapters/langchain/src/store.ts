import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint';
import { type AgentMemory, ownOnly, requireOptions, storable } from '@svc-memory/core/adapter';
import { fields, type Input, type Output } from '@svc-memory/core/contract';
import { inChunks } from './chunks.ts';
import { orNothing } from './or-nothing.ts';
import { isMatch, passes } from './store-filter.ts';
import {
  checkItemPath,
  memoryKey,
  prefixTag,
  readPath,
  STORE_TAG,
  toItem,
  toNewMemory,
  UNINDEXED_TAG,
} from './store-item.ts';

type Memory = Output<'query'>['memories'][number];
type NewMemory = Input<'rememberBatch'>['memories'][number];

const MOST = fields.LIMITS.resultsPerCall;
// Calls of one batch that are under way at once.
const AT_ONCE = 8;
const DEFAULT_LIMIT = 10;
// What other agents put into a space that they share is no item of this one, whatever it says.
const OWN = { space_id: 'own' };

/**
 * A LangGraph store in an agent's memory: what the agent stores there it also recalls, and finds in its injections.
 *
 * Answers as LangGraph's own `InMemoryStore` does; where a `query` is given, by meaning, with the similarity as score.
 * A namespace is matched label by label: `user-1` never shows what belongs to `user-10`. Of a user's memory only what is that
 * user's is an item. Throws `SvcError` where the
 * memory service cannot be used.
 */
export class AgentMemoryStore extends BaseStore {
  readonly #memory: AgentMemory;

  constructor({ memory }: { readonly memory: AgentMemory }) {
    super();
    requireOptions('AgentMemoryStore', { memory });
    this.#memory = memory;
  }

  /**
   * Does several operations: all that read first, then all that write. Of several writes to one item the last counts.
   * The items put are stored together, all or none, up to 500 of them and 131,072 characters.
   *
   * @throws InvalidNamespaceError, RangeError and TypeError for an item that cannot be stored; then nothing is written, but
   *   for the other items where one has a secret in its namespace or key
   */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const writes = new Map<string, PutOperation>();
    for (const operation of operations) {
      if (!('value' in operation)) continue;
      if (operation.value !== null) checkItemPath(operation);
      writes.set(memoryKey(operation), operation);
    }
    const puts = [...writes.values()].filter(({ value }) => value !== null).map(toNewMemory);
    const deletions = [...writes.values()].filter(({ value }) => value === null);
    const answers = await inTurns(operations, (operation) => this.#read(operation));
    for (const memories of inChunks(puts)) await this.#remember(memories);
    await inTurns(deletions, (operation) => this.#forget(operation));
    // One answer for each operation, of its kind, which a map over a tuple cannot express.
    return answers as OperationResults<Op>;
  }

  /** The service takes secrets out of what it stores: a memory that is no longer the item it was made of is taken back. */
  async #remember(puts: NewMemory[]): Promise<void> {
    const { memories } = await this.#memory.rememberBatch({ memories: puts });
    const damaged = memories.filter((memory) => !toItem(memory));
    if (damaged.length === 0) return;
    await inTurns(damaged, ({ id }) => orNothing(this.#memory.forget({ id })));
    const names = damaged.map(({ content }) => content.split('\n', 1)[0]);
    throw new TypeError(
      `Not stored: ${names.join(', ')}. A namespace or a key holds a secret, which the memory service takes out; name the item otherwise.`,
    );
  }

  async #read(operation: Operation): Promise<Item | SearchItem[] | string[][] | null> {
    if ('value' in operation) return null;
    if ('namespacePrefix' in operation) return this.#search(operation);
    if ('key' in operation) return this.#get(operation);
    return this.#listNamespaces(operation);
  }

  async #get(operation: GetOperation): Promise<Item | null> {
    const memory = await this.#find(operation);
    return (memory && toItem(memory)) ?? null;
  }

  async #find(path: Pick<GetOperation, 'namespace' | 'key'>): Promise<Memory | undefined> {
    // Of a user's memory the agent's own stands beside.
    const asked = { ...OWN, key: memoryKey(path), tags: [STORE_TAG], limit: 2 };
    const { memories } = await this.#memory.query(asked);
    return ownOnly(this.#memory, memories)[0];
  }

  async #forget(operation: PutOperation): Promise<void> {
    const memory = await this.#find(operation);
    if (memory) await orNothing(this.#memory.forget({ id: memory.id }));
  }

  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, query, filter, limit = DEFAULT_LIMIT, offset = 0 } = operation;
    const tag = prefixTag(namespacePrefix);
    const asked = storable((query ?? '').slice(0, fields.LIMITS.queryCharacters));
    const ranked = asked.trim() === '' ? [] : await this.#recall(asked, tag, filter);
    const end = offset + limit;
    if (ranked.length >= end) return ranked.slice(offset, end);
    const scored = new Set(ranked.map(memoryKey));
    const others = (await this.#items(tag))
      .filter((item) => !scored.has(memoryKey(item)) && passes(item, filter))
      .map((item) => ({ ...item, score: undefined as number | undefined }));
    // Without `exactOptionalPropertyTypes`, which LangGraph does not use, an absent score may be `undefined`.
    return [...ranked, ...others].slice(offset, end) as SearchItem[];
  }

  /** Up to 100 items, best first. */
  async #recall(query: string, tag: string, filter: SearchOperation['filter']): Promise<SearchItem[]> {
    const asked = { ...OWN, query, tags: [tag], threshold: 0, limit: MOST, include_times: true };
    const { results } = await this.#memory.recall(asked);
    return ownOnly(this.#memory, results).flatMap(({ similarity, ...memory }) => {
      const item = memory.tags.includes(UNINDEXED_TAG) ? undefined : toItem(memory);
      return item && passes(item, filter) ? [{ ...item, score: similarity }] : [];
    });
  }

  /** All items under a namespace: namespace by namespace, and in each, in the order of their creation. */
  async #items(tag: string): Promise<Item[]> {
    const memories = (await this.#memories(tag)).sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    const namespaces = new Map<string, Item[]>();
    for (const item of memories.flatMap((memory) => toItem(memory) ?? [])) {
      const name = JSON.stringify(item.namespace);
      namespaces.set(name, [...(namespaces.get(name) ?? []), item]);
    }
    return [...namespaces.values()].flat();
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit, offset = 0 } = operation;
    const found = new Map<string, string[]>();
    for (const memory of await this.#memories(STORE_TAG)) {
      const namespace = readPath(memory)?.namespace;
      if (!namespace || !matchConditions.every((condition) => isMatch(namespace, condition))) continue;
      const shown = namespace.slice(0, maxDepth);
      found.set(JSON.stringify(shown), shown);
    }
    return [...found.values()]
      .sort((a, b) => a.join(':').localeCompare(b.join(':')))
      .slice(offset, limit === undefined ? undefined : offset + limit);
  }

  async #memories(tag: string): Promise<Memory[]> {
    const found: Memory[] = [];
    let cursor: string | null | undefined;
    do {
      const asked = { ...OWN, tags: [tag], limit: MOST, ...(cursor ? { cursor } : {}) };
      const page = await this.#memory.query(asked);
      found.push(...page.memories);
      cursor = page.next_cursor;
    } while (cursor);
    return ownOnly(this.#memory, found);
  }
}

/** Ids of memories created in the same millisecond are in the order of their creation. */
function orderOf({ created_at, id }: Memory): string {
  return `${created_at} ${id}`;
}

/** Does the work for each item, a few at a time; answers in order. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    answers.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
  }
  return answers;
}
