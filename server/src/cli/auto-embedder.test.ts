import { join } from 'node:path';
import { makeDataFolder } from '@svc-memory/core/testing';
import { expect, test } from 'vitest';
import { startRerankServer } from '../../../core/src/features/recall/reranking/rerank-server.fixture.ts';
import { useServedModel } from './auto-embedder.fixture.ts';
import { fillFolder, svc } from './cli.fixture.ts';

/** Each of several commands opens a database, which takes a slow machine seconds. */
const SLOW = 240_000;

const { folder, server, envOf, auto, doctor } = await useServedModel();

const fill = (name: string) => fillFolder(join(folder.path, name));

test(
  'a store with vectors keeps their model until the command that doctor names is run',
  async () => {
    await fill('old');
    const before = await doctor('old');
    expect(before).toContain('✓ Embedder: auto is static:use-lite-100d, in use here already.');
    expect(before).toContain('All works. Look at what is marked with !.');
    expect((await svc('reembed', auto('old'))).out).toContain('Nothing to do: static:use-lite-100d answers');

    const [, settings = ''] = /stop the service and run (.*) npx svc-memory reembed$/m.exec(before) ?? [];
    const chosen = Object.fromEntries(settings.split(' ').map((setting) => setting.split('=')));
    expect(chosen).toEqual({ SVC_EMBEDDER: 'openai:nomic-embed-text', SVC_EMBEDDER_URL: server.url });
    const changed = await svc('reembed', { ...envOf('old'), ...chosen });
    expect(changed.out).toBe('openai:nomic-embed-text answers now for 1 memory of 1 tenant.\n');
    expect(await doctor('old')).toContain(
      '✓ Embedder: auto is openai:nomic-embed-text, in use here already, which',
    );
    expect((await svc('reembed', auto('old'))).out).toContain(
      'Nothing to do: openai:nomic-embed-text answers',
    );
  },
  SLOW,
);

test.each([
  [
    { SVC_EMBEDDER: 'auto', SVC_EMBEDDER_API_KEY: 'sk-very-secret' },
    'SVC_EMBEDDER_API_KEY has no use with SVC_EMBEDDER auto, unless SVC_EMBEDDER_URL names the server',
  ],
  [{ SVC_EMBEDDER: 'auto', SVC_EMBEDDER_CALIBRATION: '0.1,0.5,1' }, 'it belongs to one model'],
  [{ SVC_RERANKER: 'best' }, 'SVC_RERANKER must be one of none, openai-compatible, transformers'],
  [
    { SVC_RERANKER: 'openai-compatible', SVC_RERANKER_MODEL: 'm' },
    'SVC_RERANKER openai-compatible needs SVC_RERANKER_URL and SVC_RERANKER_MODEL',
  ],
  [{ SVC_RERANKER: 'transformers' }, 'SVC_RERANKER transformers needs SVC_RERANKER_MODEL'],
  [{ SVC_RERANKER_API_KEY: 'sk-very-secret' }, 'SVC_RERANKER_API_KEY has no use with SVC_RERANKER none'],
  [{ SVC_RERANKER_URL: 'http://ada:pw@localhost/v1' }, 'SVC_RERANKER_URL must hold no user, password'],
])('svc config tells a mistake in one line: %j', async (env, line) => {
  const { code, err } = await svc('config', env);
  expect(code).toBe(2);
  expect(err.trimEnd().split('\n')).toEqual([expect.stringContaining(line)]);
  expect(err).not.toContain('very-secret');
});

test.each(['api', 'worker'])('auto is refused for --role %s, whose machines may differ', async (role) => {
  const { code, err } = await svc(`serve --role ${role}`, {
    SVC_EMBEDDER: 'auto',
    SVC_DATABASE_URL: 'postgres://127.0.0.1:1/x',
    SVC_SECRET: 'x'.repeat(32),
  });
  expect(code).toBe(2);
  expect(err).toContain(`SVC_EMBEDDER must name a model for --role ${role}`);
});

test(
  'svc doctor tries the reranker, and says what to do',
  async () => {
    await makeDataFolder(join(folder.path, 'rerank'));
    const reranker = await startRerankServer();
    const env = {
      ...envOf('rerank'),
      SVC_RERANKER: 'openai-compatible',
      SVC_RERANKER_URL: reranker.url,
      SVC_RERANKER_MODEL: 'cross',
      SVC_RERANKER_API_KEY: 'sk-very-secret',
    };
    const well = await svc('doctor', env);
    expect(well.out).toMatch(/✓ Reranker: cross tells what answers a question/);
    reranker.answer = (response, scores) =>
      response.end(
        JSON.stringify({ results: scores.map((_, index) => ({ index, relevance_score: index })) }),
      );
    expect((await svc('doctor', env)).out).toMatch(
      /! Reranker: cross does not tell .*\n {2}Set SVC_RERANKER_MODEL/,
    );
    reranker.answer = (response) => response.writeHead(401).end('sk-very-secret');
    const ill = await svc('doctor', env);
    await reranker.close();
    expect(ill.out).toMatch(
      /✗ Reranker: .* answered 401: correct SVC_RERANKER_API_KEY\.\n {2}Until then recall goes by its own order\./,
    );
    expect(ill.code).toBe(1);
    expect(ill.out).not.toContain('very-secret');
    const missing = await svc('doctor', {
      ...envOf('rerank'),
      SVC_RERANKER: 'transformers',
      SVC_RERANKER_MODEL: 'Xenova/ms-marco-MiniLM-L-6-v2',
    });
    expect(missing.out).toContain('npm install @huggingface/transformers');
  },
  SLOW,
);
