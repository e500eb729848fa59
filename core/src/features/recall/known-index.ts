import type { Context } from '../../kernel/context/context.ts';
import { readableThroughout } from '../visibility/view.ts';
import type { Candidates } from './candidates.ts';
import { databaseIndex } from './database-index/database-index.ts';
import { FormerStates } from './former-states.ts';
import { inMemoryIndex } from './in-memory-index/find-in-memory.ts';
import type { TenantIndex } from './in-memory-index/tenant-index.ts';
import type { EmbeddedSearch, MemoryIndex, RunQuery } from './memory-index.ts';
import type { Corpus } from './ranking/input.ts';

/**
 * Indexes of the memories as the store knew them at a moment, to be asked in turn: what has not changed since is searched as
 * it is stored, what has changed by its words of then. How much a word weighs follows from all of them.
 */
export function indexesKnownAt(
  context: Context,
  search: EmbeddedSearch,
  { at, run, held }: { readonly at: Date; readonly run: RunQuery; readonly held: TenantIndex | undefined },
): MemoryIndex[] {
  const { tenantId, now } = context;
  const unchanged = {
    ...search,
    filters: { ...search.filters, unchangedSince: at },
    view: { ...search.view, readable: readableThroughout(tenantId, search.view) },
  };
  const former = new FormerStates(context, search, { at, run });
  const stored = [inMemoryIndex(held, unchanged, now), databaseIndex(context, unchanged, run)];
  return stored.map((index) => {
    // What the caller may not read was not loaded.
    const formerSearch = { ...search, view: { ...search.view, isFull: true } };
    return withFormer(index, former, (made) => inMemoryIndex(made, formerSearch, now));
  });
}

function withFormer(
  stored: MemoryIndex,
  former: FormerStates,
  search: (index: TenantIndex) => MemoryIndex,
): MemoryIndex {
  return {
    find: async (without) => {
      const unchanged = await stored.find(without);
      if (!unchanged) return undefined;
      const all = [unchanged];
      for await (const index of former.indexes()) {
        const found = await search(index).find(without);
        if (found) all.push(found);
      }
      return { ...join(all), load: (ids) => former.load(ids) };
    },
    holding: async (terms) => {
      const all = new Set(await stored.holding(terms));
      for await (const index of former.indexes()) {
        for (const term of await search(index).holding(terms)) all.add(term);
      }
      return all;
    },
    sketches: async () => {
      const all = [...(await stored.sketches())];
      for await (const index of former.indexes()) all.push(...(await search(index).sketches()));
      return all;
    },
  };
}

function join(all: readonly Candidates[]): Omit<Candidates, 'load'> {
  return {
    corpus: joinCorpora(all.map(({ corpus }) => corpus)),
    candidates: all.flatMap(({ candidates }) => candidates),
    links: all.flatMap(({ links }) => links),
    contents: new Map(all.flatMap(({ contents }) => [...contents])),
  };
}

function joinCorpora(all: readonly Corpus[]): Corpus {
  const documentFrequency = new Map<string, number>();
  let [documents, words] = [0, 0];
  for (const corpus of all) {
    documents += corpus.documents;
    words += corpus.documents * corpus.averageLength;
    for (const [term, count] of corpus.documentFrequency) {
      documentFrequency.set(term, (documentFrequency.get(term) ?? 0) + count);
    }
  }
  return { documents, averageLength: documents === 0 ? 1 : words / documents, documentFrequency };
}
