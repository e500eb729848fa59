import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import {
  type Embedder,
  type Transformers,
  transformersEmbedder,
  transformersReranker,
} from '@svc-memory/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseAutoEmbedding } from '../../server/src/config/auto-embedding.ts';
import { writeTinyCrossEncoder, writeTinyModel } from './tiny-model.fixture.ts';

const VERSION = '4.3.1';

/** What is used of the library here. */
interface Library extends Transformers {
  readonly env: { allowRemoteModels: boolean; cacheDir: string; fetch(url: string | URL): Promise<unknown> };
}

let folder: string;
let embedder: Embedder;
let entry: string;
/** The library as installed. */
const load = () => import(pathToFileURL(entry).href);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-test-transformers-'));
  await writeFile(join(folder, 'package.json'), '{"private": true}');
  // Without its install script, which fetches what only graphics cards need.
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `@huggingface/transformers@${VERSION}`,
  ];
  await promisify(execFile)('npm', args, { cwd: folder });
  await writeTinyModel(join(folder, 'tiny'));
  await writeTinyCrossEncoder(join(folder, 'cross'));
  entry = createRequire(join(folder, 'package.json')).resolve('@huggingface/transformers');
  embedder = transformersEmbedder({ model: join(folder, 'tiny'), load });
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const cosine = (a?: Float32Array, b?: Float32Array) =>
  a?.reduce((sum, value, k) => sum + value * (b?.[k] ?? 0), 0) ?? Number.NaN;

describe('the transformers embedder with the real library', () => {
  it('makes unit vectors that are alike for texts that mean alike', async () => {
    const texts = ['puppy', 'a dog and a hound', 'kettle', ''];
    const vectors = await embedder.embed(texts);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(cosine(vectors[0], vectors[1])).toBeGreaterThan(cosine(vectors[0], vectors[2]));
  });

  it('gives a text the same vector alone and in a batch', async () => {
    const [alone] = await embedder.embed(['garden']);
    const [together] = await embedder.embed(['garden', 'beds and compost for the garden']);
    expect(cosine(alone, together)).toBeCloseTo(1, 5);
  });

  it('says that a model cannot be loaded', async () => {
    const none = transformersEmbedder({ model: join(folder, 'none'), load });
    await expect(none.embed(['x'])).rejects.toThrow(/cannot be loaded/);
  });
});

describe('auto with the real library', () => {
  it('takes the model that is on this machine, and asks the hub for none', async () => {
    const library = (await load()) as Library;
    const asked: string[] = [];
    const { env } = library;
    const { fetch, cacheDir } = env;
    env.cacheDir = join(folder, 'cache');
    env.fetch = async (url) => {
      asked.push(String(url));
      throw new Error('no network');
    };
    try {
      await writeTinyModel(join(env.cacheDir, 'Xenova/bge-small-en-v1.5'));
      const { embedder, explain } = await chooseAutoEmbedding({ inUse: undefined, servers: [], load });
      expect((await explain()).message).toBe(
        'transformers:Xenova/bge-small-en-v1.5, which transformers.js has on this machine',
      );
      expect(await embedder.embed(['kettle'])).toHaveLength(1);
      expect([asked, env.allowRemoteModels]).toEqual([[], true]);
    } finally {
      Object.assign(env, { fetch, cacheDir });
    }
  });
});

describe('the transformers reranker with the real library', () => {
  it('scores each document with the query, in the order of the documents', async () => {
    const reranker = transformersReranker({ model: join(folder, 'cross'), load });
    // More than are computed at once.
    const documents = [
      'puppy',
      'kettle',
      'beds for the garden',
      ...Array.from({ length: 8 }, () => 'kettle'),
    ];
    const scores = await reranker.rerank('dog', documents, new AbortController().signal);
    expect(scores).toEqual([0, 1, 0.5, ...Array.from({ length: 8 }, () => 1)]);
    expect((await reranker.rerank('kettle', ['puppy'], new AbortController().signal))[0]).toBe(1);
  });

  it('says that a model cannot be loaded', async () => {
    const none = transformersReranker({ model: join(folder, 'none'), load });
    await expect(none.rerank('dog', ['puppy'], new AbortController().signal)).rejects.toThrow(
      /cannot be loaded/,
    );
  });
});
