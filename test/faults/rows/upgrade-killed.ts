import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createEngine, openPglite } from '@svc-memory/core';
import { makeDataFolder } from '@svc-memory/core/testing';
import type { Fault } from '../fault.ts';
import { eventually } from '../lab/events.ts';
import { makeNextRelease } from '../lab/next-release.ts';
import { ROOT } from '../lab/service.ts';

// Some minutes; the suite takes fewer.
const UPGRADES = Number(process.env.SVC_TEST_UPGRADES ?? 10);
const MEMORIES = 200;
const REFUSED = 'migrated by a newer release';

/** A migration with a moment in its middle that can be hit. */
const STATEMENTS = [
  'CREATE TABLE next_release (tenant_id uuid NOT NULL, id uuid NOT NULL, PRIMARY KEY (tenant_id, id))',
  'SELECT pg_sleep(0.5)',
  'INSERT INTO next_release SELECT tenant_id, id FROM memories',
  'ALTER TABLE memories ADD COLUMN next_release text',
];

const run = promisify(execFile);

/** kill -9 of an upgrade of the embedded database, at random moments from its start to its end. */
export const upgradeKilled: Fault = {
  name: 'upgrade-killed, embedded database',
  holds:
    'each folder is either of the old release or of the new one, with every memory; the next start ends the upgrade',
  run: async ({ random, rounds }) => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-faults-upgrade-'));
    const release = await makeNextRelease(STATEMENTS);
    const old = join(folder, 'old');
    await fill(old);
    const expected = await exported(ROOT, old);
    const phases = await timeUpgrade(release, old, join(folder, 'timed'));
    const times = UPGRADES * rounds;
    const problems: string[] = [];
    const left = { old: 0, new: 0 };
    for (let time = 0; time < times; time += 1) {
      const data = join(folder, `upgrade-${time}`);
      await copy(old, data);
      // Every other kill comes only after the backup, as most of the time goes before the migration.
      const phase = time % 2 === 0 ? 'beforeMs' : 'migratingMs';
      const delayMs = random.between(0, Math.round(phases[phase]));
      const upgrade = startUpgrade(release, data);
      const ended = once(upgrade, 'close');
      if (phase === 'migratingMs') await isBackedUp(data);
      await setTimeout(delayMs);
      upgrade.kill('SIGKILL');
      await ended;
      const byOld = await exported(ROOT, data);
      const isNew = byOld.includes(REFUSED);
      left[isNew ? 'new' : 'old'] += 1;
      if ((isNew ? await exported(release, data) : byOld) !== expected) {
        problems.push(
          `a kill at ${phase} ${delayMs} left neither the old nor the new: ${byOld.slice(0, 300)}`,
        );
      }
      await once(startUpgrade(release, data), 'close');
      if ((await exported(release, data)) !== expected || !(await exported(ROOT, data)).includes(REFUSED)) {
        problems.push(`the upgrade after a kill at ${phase} ${delayMs} did not end`);
      }
      await rm(data, { recursive: true });
    }
    await Promise.all([folder, release].map((path) => rm(path, { recursive: true })));
    return {
      times,
      n: `${times * MEMORIES} memories`,
      lost: 0,
      duplicates: 0,
      codes: {},
      note: `${left.old} were old and ${left.new} new`,
      problems,
    };
  },
};

async function fill(data: string): Promise<void> {
  await makeDataFolder(data);
  const engine = createEngine({ database: await openPglite(data) });
  const { id } = await engine.tenants.create({ displayName: 'Upgrades', plan: 'local' });
  await engine.agent(id).rememberBatch({
    memories: Array.from({ length: MEMORIES }, (_, place) => ({
      type: 'semantic' as const,
      content: `The box on shelf ${place} holds ${place * 7} screws.`,
    })),
  });
  await engine.close();
}

/** Milliseconds of an upgrade which nobody disturbs, until it has made its backup and from then on. */
async function timeUpgrade(release: string, old: string, data: string) {
  await copy(old, data);
  const began = performance.now();
  const upgrade = startUpgrade(release, data);
  const ended = once(upgrade, 'close');
  await isBackedUp(data);
  const backedUp = performance.now();
  const [code] = await ended;
  if (code !== 0) throw new Error(`an upgrade that nobody disturbed ended with ${code}`);
  return { beforeMs: backedUp - began, migratingMs: performance.now() - backedUp };
}

/** Waits for the backup that precedes the migration. */
function isBackedUp(data: string): Promise<void> {
  const backups = join(data, 'backups');
  const isWhole = (name: string) => /-migration(-pending)?\.zip$/.test(name);
  return eventually(async () => (await readdir(backups).catch(() => [])).some(isWhole), 120_000);
}

// Node's own `cp` takes a second for a thousand files.
async function copy(from: string, to: string): Promise<void> {
  await run('cp', ['-R', from, to]);
}

function envOf(data: string) {
  return { PATH: process.env.PATH, HOME: process.env.HOME, SVC_DATA_DIR: data };
}

function startUpgrade(release: string, data: string): ChildProcess {
  return spawn(process.execPath, [join(release, 'server/bin/svc.js'), 'migrate'], {
    env: envOf(data),
    stdio: 'ignore',
  });
}

/** All memories as a release tells them, or why it does not. */
async function exported(release: string, data: string): Promise<string> {
  const text = await run(process.execPath, [join(release, 'server/bin/svc.js'), 'export'], {
    env: envOf(data),
    maxBuffer: 64 * 1024 ** 2,
  }).then(
    ({ stdout }) => stdout,
    ({ stderr }: { stderr: string }) => stderr,
  );
  return text.replace(/"exported_at":"[^"]+"/, '');
}
