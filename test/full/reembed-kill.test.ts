import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createEngine, openPglite } from '@svc-memory/core';
import { makeDataFolder } from '@svc-memory/core/testing';
import { expect, it } from 'vitest';
import {
  type OpenAiServer,
  startOpenAiServer,
} from '../../core/src/features/embedding/remote/openai-server.fixture.ts';
import { cleanUp, copyFolder, ROOT, temporaryFolder } from '../kit/process.ts';

const ROUNDS = Number(process.env.SVC_TEST_KILLS ?? (process.env.SVC_TEST_FULL ? 10 : 2));
const MEMORIES = 2_000;
const BATCH = 500;

cleanUp();

/** Runs `npx svc-memory reembed`; killed so many milliseconds after it has made so many requests to the embedder. */
async function reembed(folder: string, server: OpenAiServer, kill?: { requests: number; ms: number }) {
  const before = server.received.length;
  const child = spawn(process.execPath, [join(ROOT, 'server/bin/svc.js'), 'reembed'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      SVC_DATA_DIR: folder,
      SVC_EMBEDDER: 'openai:new',
      SVC_EMBEDDER_URL: server.url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  if (kill) {
    server.behave(() => {
      if (server.received.length - before === kill.requests) setTimeout(() => child.kill('SIGKILL'), kill.ms);
      return 'works';
    });
  }
  const [code, signal] = await once(child, 'close');
  server.behave('works');
  return { ended: code ?? signal, said };
}

/** Everything a recall reads. */
async function contentsOf(folder: string): Promise<Record<string, unknown>> {
  const database = await openPglite(folder);
  const ask = (statement: string) => database.system(async (tx) => (await tx.execute(statement)) as unknown);
  const listed = async (statement: string) => ((await ask(statement)) as { rows: unknown[] }).rows;
  try {
    return {
      answering: await listed('SELECT tenant_id, embedding_model FROM tenants'),
      vectors: await listed(
        'SELECT model, memory_id, embedding::text FROM memory_vectors ORDER BY model, memory_id',
      ),
      queued: await listed('SELECT * FROM embedding_queue'),
      memories: await listed('SELECT * FROM memories ORDER BY id'),
      jobs: await listed('SELECT status, done, total, result, errors_count FROM jobs'),
    };
  } finally {
    await database.close();
  }
}

it(
  `a re-embedding killed ${ROUNDS} times ends as one that nobody disturbed`,
  async () => {
    const server = await startOpenAiServer();
    try {
      const folder = join(await temporaryFolder(), 'killed');
      await makeDataFolder(folder);
      const engine = createEngine({ database: await openPglite(folder) });
      const tenant = await engine.tenants.create({ displayName: 'Ada', plan: 'local' });
      for (let start = 0; start < MEMORIES; start += BATCH) {
        const memories = Array.from({ length: BATCH }, (_, n) => ({
          type: 'semantic' as const,
          content: `Box ${start + n} holds ${['nails', 'screws', 'glue'][n % 3]} for shelf ${n % 17}.`,
        }));
        await engine.agent(tenant.id).rememberBatch({ memories });
      }
      await engine.close();
      const undisturbed = join(await temporaryFolder(), 'undisturbed');
      await copyFolder(folder, undisturbed);
      expect(await reembed(undisturbed, server)).toMatchObject({ ended: 0 });

      let killed = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const kill = { requests: 1 + Math.floor(Math.random() * 4), ms: Math.floor(Math.random() * 60) };
        const { ended, said } = await reembed(folder, server, kill);
        expect(['SIGKILL', 0], said).toContain(ended);
        if (ended === 'SIGKILL') killed += 1;
      }
      expect(killed, 'rounds that were killed before the end').toBeGreaterThan(ROUNDS / 2);
      const last = await reembed(folder, server);
      expect(last.ended, last.said).toBe(0);
      expect(await contentsOf(folder)).toEqual(await contentsOf(undisturbed));
      expect((await reembed(folder, server)).said).toContain('Nothing to do: openai:new answers already.');
    } finally {
      await server.close();
    }
  },
  ROUNDS * 60_000,
);
