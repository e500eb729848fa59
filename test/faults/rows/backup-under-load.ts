import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Fault, figuresOf } from '../fault.ts';
import { checkStored, readAll } from '../lab/check.ts';
import { acknowledgedIn } from '../lab/journal.ts';
import { startLoad } from '../lab/load.ts';
import { prepareService, ROOT, type Service } from '../lab/service.ts';
import { type Tenant, tenantOf } from '../lab/tenant.ts';

const run = promisify(execFile);

interface Backup {
  readonly file: string;
  /** Just before it was asked for: what was acknowledged until then must be in it. */
  readonly asked: Date;
}

/**
 * `npx svc-memory backup` beside a service that is written to all the time, and `npx svc-memory restore` of it into another folder.
 */
export const backupUnderLoad: Fault = {
  name: 'backup under load, embedded database',
  holds:
    'each backup holds all that was acknowledged before it, and its export of that moment is byte by byte that of the service',
  run: async ({ random, rounds }) => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-faults-backup-'));
    const data = join(folder, 'data');
    const service = await prepareService({ env: { SVC_DATA_DIR: data } });
    await service.start();
    const tenant = await tenantOf(data);
    const client = startLoad({
      targets: [service.url],
      apiKey: tenant.apiKey,
      writers: 8,
      pauseMs: rounds === 1 ? 20 : 0,
      seed: random.between(1, 1_000_000_000),
    });
    const backups: Backup[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await client.more(random.between(50, 200));
      const backup = { file: join(folder, `${round}.zip`), asked: new Date() };
      await svc(['backup', backup.file], data);
      backups.push(backup);
    }
    await client.more(50);
    const journal = await client.stop();
    const problems: string[] = [];
    let lost = 0;
    for (const { file, asked } of backups) {
      const restored = await startRestored(file, `${file}-restored`);
      const before = acknowledgedIn(journal.filter(({ at }) => at < asked.getTime()));
      const stored = await readAll(restored.url, tenant);
      lost += [...before].filter(([id, hash]) => stored.get(id) !== hash).length;
      const [theirs, ours] = await Promise.all([
        exportAt(restored, tenant, asked),
        exportAt(service, tenant, asked),
      ]);
      if (theirs !== ours) problems.push(`the export of a backup of ${before.size} memories is another`);
      await end(restored);
    }
    const checked = await checkStored({ urls: [service.url], tenant, journal });
    await end(service);
    await rm(folder, { recursive: true });
    return figuresOf({
      times: backups.length,
      journal,
      checked: { ...checked, lost: checked.lost + lost },
      moments: [],
      allowed: [],
      problems,
    });
  },
};

async function svc(args: readonly string[], data: string): Promise<void> {
  await run(process.execPath, [join(ROOT, 'server/bin/svc.js'), ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, SVC_DATA_DIR: data },
  });
}

async function startRestored(file: string, data: string): Promise<Service> {
  await svc(['restore', file], data);
  const service = await prepareService({ env: { SVC_DATA_DIR: data } });
  await service.start();
  return service;
}

async function end(service: Service): Promise<void> {
  service.kill('SIGTERM');
  await service.ended();
}

/** What a service says that it knew at a moment, as text. */
async function exportAt({ url }: Service, { apiKey }: Tenant, moment: Date): Promise<string> {
  const answer = await fetch(`${url}/api/v1/export?known_at=${moment.toISOString()}`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  if (answer.status !== 200) throw new Error(`the export was answered ${answer.status}`);
  return (await answer.text()).replace(/"exported_at":"[^"]+"/, '');
}
