import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPglite } from '@svc-memory/core';
import { makeDataFolder } from '@svc-memory/core/testing';
import { expect, it } from 'vitest';
import { cleanUp, copyFolder, ROOT, temporaryFolder } from '../kit/process.ts';

const KILLS = Number(process.env.SVC_TEST_KILLS ?? (process.env.SVC_TEST_FULL ? 10 : 2));
/** Several steps of the job. */
const MEMORIES = KILLS < 10 ? 600 : 1_200;
const WORKER = fileURLToPath(new URL('import-worker.mjs', import.meta.url));
const LEASE_MS = 61_000;
/** A job that is killed eight times without a step in between is given up, as one that kills whoever runs it. */
const MOST_KILLS_OF_A_JOB = 6;

cleanUp();

/** Prepares an import, or does it; killed that long after it began to write, unless it ends before. */
async function importInto(
  folder: string,
  what: 'prepare' | 'work',
  { round = 0, killAfterMs }: { round?: number; killAfterMs?: number | undefined } = {},
): Promise<{ ended: string | number; workedMs: number }> {
  const args = [WORKER, what, folder, `${round * LEASE_MS}`, `${MEMORIES}`];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let err = '';
  let began = performance.now();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (!text.includes('working')) return;
    began = performance.now();
    if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  });
  const [code, signal] = await once(child, 'close');
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(err);
  return { ended: signal ?? code, workedMs: performance.now() - began };
}

/** All that an import leaves behind, but for ids and times. */
async function outcomeOf(folder: string): Promise<Record<string, unknown>> {
  const database = await openPglite(folder);
  const listed = (statement: string) =>
    database.system(async (tx) => ((await tx.execute(statement)) as unknown as { rows: unknown[] }).rows);
  try {
    return {
      memories: await listed(
        'SELECT type, category, content, key, tags, importance, version, source, length FROM memories ORDER BY content, key, version',
      ),
      versions: await listed(
        'SELECT content, key, version, source FROM memory_versions ORDER BY key, content, version',
      ),
      terms: await listed(
        'SELECT term, count(*), sum(frequency) FROM memory_terms GROUP BY term ORDER BY term',
      ),
      vectors: await listed('SELECT count(*) FROM memory_vectors'),
      origins: await listed('SELECT origin FROM import_origins ORDER BY origin'),
      operations: await listed('SELECT operations FROM usage_counts'),
      // How often progress is told depends on the time the work takes.
      events: await listed(
        "SELECT type, count(*) FROM events WHERE type <> 'job.progress' GROUP BY type ORDER BY type",
      ),
      files: await listed('SELECT 1 FROM import_files UNION ALL SELECT 1 FROM import_chunks'),
      jobs: await listed('SELECT status, done, total, result, errors, errors_count FROM jobs'),
    };
  } finally {
    await database.close();
  }
}

it(
  `an import killed ${KILLS} times ends as one that nobody disturbed`,
  async () => {
    const begun = join(await temporaryFolder(), 'begun');
    await makeDataFolder(begun);
    await importInto(begun, 'prepare');
    const copyOf = async (name: string) => {
      const folder = join(await temporaryFolder(), name);
      await copyFolder(begun, folder);
      return folder;
    };
    const calm = await copyOf('calm');
    const undisturbed = await importInto(calm, 'work');
    expect(undisturbed.ended).toBe(0);
    const expected = await outcomeOf(calm);
    let kills = 0;
    while (kills < KILLS) {
      const killed = await copyOf('killed');
      for (let round = 0; ; round += 1) {
        const goesOn = kills === KILLS || round === MOST_KILLS_OF_A_JOB;
        const killAfterMs = goesOn ? undefined : Math.random() * undisturbed.workedMs;
        const { ended } = await importInto(killed, 'work', { round, killAfterMs });
        if (ended === 0) break;
        kills += 1;
      }
      expect(await outcomeOf(killed)).toEqual(expected);
    }
  },
  KILLS * 90_000,
);
