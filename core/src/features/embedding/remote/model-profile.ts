/** What is known of a family of models by its name. */
interface ModelProfile {
  /** Tokens of a text that the model reads; default 500, what the smallest usual models take. */
  readonly maxTokens: number;
  /** What the model wants before a text it is to find others for. */
  readonly queryPrefix: string;
  /** What it wants before a text that is to be found. */
  readonly memoryPrefix: string;
}

const DEFAULT: ModelProfile = { maxTokens: 500, queryPrefix: '', memoryPrefix: '' };

const RETRIEVAL = 'Represent this sentence for searching relevant passages: ';

/** From the models' own cards. The first that matches counts. */
const FAMILIES: readonly (readonly [name: RegExp, profile: Partial<ModelProfile>])[] = [
  [/text-embedding-(3|ada)/, { maxTokens: 8_000 }],
  [/(^|[/-])e5-.*instruct/, { queryPrefix: 'Instruct: Given a question, retrieve what answers it\nQuery: ' }],
  [/(^|[/-])e5-/, { queryPrefix: 'query: ', memoryPrefix: 'passage: ' }],
  [
    /nomic-embed-text/,
    { maxTokens: 2_000, queryPrefix: 'search_query: ', memoryPrefix: 'search_document: ' },
  ],
  [
    /embeddinggemma/,
    { maxTokens: 2_000, queryPrefix: 'task: search result | query: ', memoryPrefix: 'title: none | text: ' },
  ],
  [
    /qwen3-embedding/,
    { maxTokens: 8_000, queryPrefix: 'Instruct: Given a question, retrieve what answers it\nQuery:' },
  ],
  [/bge-m3/, { maxTokens: 8_000 }],
  [/bge-.*-en/, { queryPrefix: RETRIEVAL }],
  [/mxbai-embed-large/, { queryPrefix: RETRIEVAL }],
  [/arctic-embed(2|.*(v2|2\.0))/, { maxTokens: 8_000, queryPrefix: 'query: ' }],
  [/arctic-embed/, { queryPrefix: RETRIEVAL }],
  [/all-minilm/, { maxTokens: 250 }],
];

/** How texts are prepared for a model, by its name. */
export function profileOf(model: string): ModelProfile {
  const name = model.toLowerCase();
  return { ...DEFAULT, ...FAMILIES.find(([family]) => family.test(name))?.[1] };
}
