import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPglite } from '@svc-memory/core';
import { expect, it } from 'vitest';
import { cleanUp, ROOT, temporaryFolder } from '../kit/process.ts';

const KILLS = process.env.SVC_TEST_FULL ? 10 : 2;
const WORKER = fileURLToPath(new URL('import-worker.ts', import.meta.url));
const LEASE_MS = 61_000;

cleanUp();

/** Runs the import; killed that long after it began to write, unless it ends before. */
async function importInto(folder: string, round: number, killAfterMs?: number): Promise<string | number> {
  const args = ['--import', 'tsx', WORKER, folder, `${round * LEASE_MS}`];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('working') && killAfterMs !== undefined) {
      setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    }
  });
  const [code, signal] = await once(child, 'close');
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(err);
  return signal ?? code;
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
        'SELECT content, key, version, source FROM memory_versions ORDER BY key, version',
      ),
      terms: await listed(
        'SELECT term, count(*), sum(frequency) FROM memory_terms GROUP BY term ORDER BY term',
      ),
      vectors: await listed('SELECT count(*) FROM memory_vectors'),
      origins: await listed('SELECT origin FROM import_origins ORDER BY origin'),
      operations: await listed('SELECT operations FROM usage_counts'),
      events: await listed('SELECT type, count(*) FROM events GROUP BY type ORDER BY type'),
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
    const [calm, killed] = [join(await temporaryFolder(), 'calm'), join(await temporaryFolder(), 'killed')];
    const began = performance.now();
    expect(await importInto(calm, 0)).toBe(0);
    const whole = performance.now() - began;
    let kills = 0;
    for (let round = 0; kills < KILLS && round < 3 * KILLS; round += 1) {
      const ended = await importInto(killed, round, (Math.random() * whole) / (KILLS + 2));
      if (ended === 'SIGKILL') kills += 1;
      else break;
    }
    expect(kills, 'times it was killed before its end').toBeGreaterThanOrEqual(Math.ceil(KILLS / 2));
    expect(await importInto(killed, 4 * KILLS)).toBe(0);
    expect(await outcomeOf(killed)).toEqual(await outcomeOf(calm));
  },
  KILLS * 90_000,
);
