import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Progress } from '../report.ts';

const USER = 'user-1';
const CONNECTIONS = 16;
const TELL_MS = 5_000;

/** An embedding model behind OpenAI's interface, the same for all. */
export interface ServedModel {
  /** Up to and including `/v1`. */
  readonly url: string;
  readonly name: string;
  readonly apiKey: string;
  readonly dimensions: number;
}

/** A library that people would pick instead, filled with the same texts through its own calls. */
export interface Peer {
  readonly name: PeerName;
  add(content: string): Promise<unknown>;
  recall(query: string): Promise<unknown>;
  close(): Promise<void>;
}

export type PeerName = keyof typeof PEERS;

/** What is installed for each, in a folder of its own, since they do not agree on the versions of what they share. */
const PEERS = {
  langchain: {
    title: 'LangChain PGVectorStore',
    packages: ['@langchain/community@1.1.29', '@langchain/core@1.2.13', 'pg@8.23.1'],
    open: openLangChain,
  },
  mem0: {
    title: 'mem0 OSS',
    packages: ['mem0ai@3.3.1', 'better-sqlite3@12.11.1', 'pg@8.23.1'],
    open: openMem0,
  },
} as const;

export const PEER_NAMES = Object.keys(PEERS) as PeerName[];

/** The name people know it by. */
export const titleOf = (name: PeerName): string => PEERS[name].title;

/** Where a peer is opened. */
interface Place {
  readonly folder: string;
  /** Of an empty database. */
  readonly databaseUrl: string;
  readonly model: ServedModel;
  readonly progress: Progress;
}

/** Installs a peer below the folder, unless it is there, and opens it on an empty database. */
export async function openPeer(
  name: PeerName,
  { folder, databaseUrl, model, progress }: Place,
): Promise<Peer> {
  const home = join(folder, name);
  await install(name, home, progress);
  const require = createRequire(join(home, 'package.json'));
  const load = (id: string) => import(require.resolve(id));
  return { name, ...(await PEERS[name].open({ load, home, databaseUrl, model })) };
}

async function install(name: PeerName, home: string, progress: Progress): Promise<void> {
  const { title, packages } = PEERS[name];
  const wanted = JSON.stringify(packages);
  // Written last: what was cut off is installed anew.
  const mark = join(home, 'installed.json');
  if ((await readFile(mark, 'utf8').catch(() => '')) === wanted) return;
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'package.json'), JSON.stringify({ name: `peer-${name}`, private: true }));
  const began = performance.now();
  const tell = () => {
    const seconds = Math.round((performance.now() - began) / 1_000);
    progress(`installing ${title}: ${seconds} s`);
  };
  tell();
  const telling = setInterval(tell, TELL_MS);
  try {
    // Without scripts: mem0 would compile SQLite for some minutes, and opens none as long as it keeps no history.
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...packages];
    await promisify(execFile)('npm', args, { cwd: home });
  } finally {
    clearInterval(telling);
  }
  await writeFile(mark, wanted);
}

interface Ground {
  /** Imports a module of the peer's folder. Nothing is known of its types, since the repository does not depend on it. */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  load(id: string): Promise<any>;
  readonly home: string;
  readonly databaseUrl: string;
  readonly model: ServedModel;
}

type Opened = Omit<Peer, 'name'>;

/** With the index it offers; it asks the model by `fetch` alone, upon which the client it comes with is built. */
async function openLangChain({ load, databaseUrl, model }: Ground): Promise<Opened> {
  const { PGVectorStore } = await load('@langchain/community/vectorstores/pgvector');
  const embed = async (input: string[]): Promise<number[][]> => {
    const response = await fetch(`${model.url}/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${model.apiKey}` },
      body: JSON.stringify({ model: model.name, input, encoding_format: 'float' }),
    });
    const { data } = (await response.json()) as { data: { embedding: number[] }[] };
    return data.map(({ embedding }) => embedding);
  };
  const store = await PGVectorStore.initialize(
    { embedDocuments: embed, embedQuery: async (text: string) => (await embed([text]))[0] },
    {
      postgresConnectionOptions: { connectionString: databaseUrl, max: CONNECTIONS },
      tableName: 'memories',
      dimensions: model.dimensions,
    },
  );
  await store.createHnswIndex({ dimensions: model.dimensions });
  return {
    add: (content) => store.addDocuments([{ pageContent: content, metadata: { user_id: USER } }]),
    recall: (query) => store.similaritySearch(query, 10, { user_id: USER }),
    close: () => store.end(),
  };
}

/** At its best: with the vector index, without telemetry, history or a language model. */
async function openMem0({ load, home, databaseUrl, model }: Ground): Promise<Opened> {
  Object.assign(process.env, { MEM0_TELEMETRY: 'false', MEM0_DIR: home });
  const { Memory } = await load('mem0ai/oss');
  const server = { apiKey: model.apiKey, baseURL: model.url };
  const memory = new Memory({
    disableHistory: true,
    embedder: {
      provider: 'openai',
      config: { ...server, model: model.name, embeddingDims: model.dimensions },
    },
    llm: { provider: 'openai', config: { ...server, model: 'none' } },
    vectorStore: {
      provider: 'pgvector',
      config: {
        collectionName: 'memories',
        connectionString: databaseUrl,
        embeddingModelDims: model.dimensions,
        dimension: model.dimensions,
        hnsw: true,
      },
    },
  });
  return {
    add: (content) => memory.add(content, { userId: USER, infer: false }),
    recall: (query) => memory.search(query, { filters: { user_id: USER }, topK: 10 }),
    close: async () => {
      // It has no end of its own.
      for (const { client } of [memory.vectorStore, await memory.getEntityStore()]) await client.end();
    },
  };
}
