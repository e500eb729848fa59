import { Document } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import { type AgentMemory, requireOptions, storable } from '@svc-memory/core/adapter';
import { fields, type Input, type Output } from '@svc-memory/core/contract';

/** What `AgentMemoryRetriever` takes. */
export interface AgentMemoryRetrieverInput extends BaseRetrieverInput {
  readonly memory: AgentMemory;
  /** Most documents, 1..100; default 10. */
  readonly k?: number | undefined;
  /** Least similarity, 0..1; default 0.5, "probably relevant". */
  readonly threshold?: number | undefined;
  /** Which memories are looked at; default all. */
  readonly filter?:
    | Pick<Input<'recall'>, 'types' | 'category' | 'tags' | 'since' | 'until' | 'session_id'>
    | undefined;
}

/** What a recalled memory is, beside its content. */
export type AgentMemoryMetadata = Omit<Output<'recall'>['results'][number], 'id' | 'content'>;

/** Finds an agent's memories by meaning, best first, as documents. Throws `SvcError`. */
export class AgentMemoryRetriever extends BaseRetriever<AgentMemoryMetadata> {
  static override lc_name(): string {
    return 'AgentMemoryRetriever';
  }

  lc_namespace = ['svc_memory', 'retrievers'];
  readonly #memory: AgentMemory;
  readonly #wanted: Omit<Input<'recall'>, 'query'>;

  constructor({ memory, k, threshold, filter, ...base }: AgentMemoryRetrieverInput) {
    super(base);
    requireOptions('AgentMemoryRetriever', { memory });
    this.#memory = memory;
    this.#wanted = { ...filter, limit: k, threshold };
  }

  override async _getRelevantDocuments(query: string): Promise<Document<AgentMemoryMetadata>[]> {
    const asked = storable(query.slice(0, fields.LIMITS.queryCharacters));
    if (asked.trim() === '') return [];
    const { results } = await this.#memory.recall({ ...this.#wanted, query: asked });
    return results.map(
      ({ id, content, ...metadata }) => new Document({ id, pageContent: content, metadata }),
    );
  }
}
