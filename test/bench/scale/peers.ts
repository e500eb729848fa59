import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Embedder } from '@svc-memory/core';

const USER = 'user-1';

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

/** Installs a peer below `folder`, unless it is there, and opens it on an empty database. */
export async function openPeer(
  name: PeerName,
  folder: string,
  databaseUrl: string,
  embedder: Embedder,
): Promise<Peer> {
  const home = join(folder, name);
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'package.json'), JSON.stringify({ name: `peer-${name}`, private: true }));
  await promisify(execFile)(
    'npm',
    ['install', '--no-audit', '--no-fund', '--prefer-offline', ...PEERS[name].packages],
    { cwd: home },
  );
  const require = createRequire(join(home, 'package.json'));
  const load = (id: string) => import(require.resolve(id));
  return { name, ...(await PEERS[name].open({ load, home, databaseUrl, embedder })) };
}

interface Ground {
  /** Imports a module of the peer's folder. Nothing is known of its types, since the repository does not depend on it. */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  load(id: string): Promise<any>;
  readonly home: string;
  readonly databaseUrl: string;
  readonly embedder: Embedder;
}

type Opened = Omit<Peer, 'name'>;

/** With the index it offers, and the embedder in the same process. */
async function openLangChain({ load, databaseUrl, embedder }: Ground): Promise<Opened> {
  const { PGVectorStore } = await load('@langchain/community/vectorstores/pgvector');
  const embed = async (texts: string[]) => (await embedder.embed(texts)).map((vector) => Array.from(vector));
  const store = await PGVectorStore.initialize(
    { embedDocuments: embed, embedQuery: async (text: string) => (await embed([text]))[0] },
    {
      postgresConnectionOptions: { connectionString: databaseUrl, max: 16 },
      tableName: 'memories',
      dimensions: embedder.dimensions,
    },
  );
  await store.createHnswIndex({ dimensions: embedder.dimensions });
  return {
    add: (content) => store.addDocuments([{ pageContent: content, metadata: { user_id: USER } }]),
    recall: (query) => store.similaritySearch(query, 10, { user_id: USER }),
    close: () => store.end(),
  };
}

/** At its best: with the vector index, without telemetry, history or a model; its embedder must be asked over HTTP. */
async function openMem0({ load, home, databaseUrl, embedder }: Ground): Promise<Opened> {
  Object.assign(process.env, { MEM0_TELEMETRY: 'false', MEM0_DIR: home });
  const { Memory } = await load('mem0ai/oss');
  const embeddings = await serveEmbeddings(embedder);
  const server = { apiKey: 'bench', baseURL: embeddings.url };
  const memory = new Memory({
    disableHistory: true,
    embedder: {
      provider: 'openai',
      config: { ...server, model: 'bench', embeddingDims: embedder.dimensions },
    },
    llm: { provider: 'openai', config: { ...server, model: 'none' } },
    vectorStore: {
      provider: 'pgvector',
      config: {
        collectionName: 'memories',
        connectionString: databaseUrl,
        embeddingModelDims: embedder.dimensions,
        dimension: embedder.dimensions,
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
      embeddings.close();
    },
  };
}

/** An OpenAI-compatible server over the embedder of the others. */
async function serveEmbeddings(embedder: Embedder) {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { input, encoding_format } = JSON.parse(body);
    const vectors = await embedder.embed([input].flat());
    const data = vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding:
        encoding_format === 'base64'
          ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
          : Array.from(vector),
    }));
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ object: 'list', model: 'bench', data, usage: {} }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
