import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Embedder, transformersEmbedder } from '@svc-memory/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTinyModel } from './tiny-model.fixture.ts';

const VERSION = '4.3.1';

let folder: string;
let embedder: Embedder;
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
  const entry = createRequire(join(folder, 'package.json')).resolve('@huggingface/transformers');
  embedder = transformersEmbedder({
    model: join(folder, 'tiny'),
    load: () => import(pathToFileURL(entry).href),
  });
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
    const entry = createRequire(join(folder, 'package.json')).resolve('@huggingface/transformers');
    const none = transformersEmbedder({
      model: join(folder, 'none'),
      load: () => import(pathToFileURL(entry).href),
    });
    await expect(none.embed(['x'])).rejects.toThrow(/cannot be loaded/);
  });
});
