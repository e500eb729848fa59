import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestDatabase, queryPostgres } from '@svc-memory/core/testing';
import { type Fault, figuresOf } from '../fault.ts';
import { checkStored } from '../lab/check.ts';
import { startLoad } from '../lab/load.ts';
import { makeNextRelease } from '../lab/next-release.ts';
import { prepareService } from '../lab/service.ts';
import { newTenant, SECRET } from '../lab/tenant.ts';

const run = promisify(execFile);

/** A new release takes over from this one, process by process, on one database and under load. */
export const rollingUpgrade: Fault = {
  name: 'rolling upgrade over two schema versions',
  holds:
    'old and new processes work on the new schema; no request is dropped; the old release then refuses to start',
  timed: true,
  run: async ({ cluster, random, rounds }) => {
    const { postgres } = await cluster();
    const release = await makeNextRelease();
    const { url: databaseUrl, drop } = await createTestDatabase(postgres.url);
    const env = { SVC_DATABASE_URL: databaseUrl, SVC_SECRET: SECRET };
    const args = ['--role', 'api'];
    const before = await Promise.all([0, 1].map(() => prepareService({ args, env })));
    await Promise.all(before.map((one) => one.start()));
    const tenant = await newTenant(databaseUrl);
    const urls = before.map(({ url }) => url);
    const client = startLoad({
      targets: urls,
      apiKey: tenant.apiKey,
      writers: 8,
      pauseMs: 0,
      seed: random.between(1, 1_000_000_000),
    });
    const problems: string[] = [];
    await client.more(50 * rounds);
    const began = Date.now();
    await run(process.execPath, [join(release, 'server/bin/svc.js'), 'migrate'], {
      env: { ...process.env, ...env },
    });
    const migrated = Date.now() - began;
    await client.more(50 * rounds);
    const moments: number[] = [];
    const after = await Promise.all(
      urls.map((url) => prepareService({ args, env, release, port: Number(new URL(url).port) })),
    );
    for (const [place, one] of before.entries()) {
      moments.push(Date.now());
      one.kill('SIGTERM');
      const code = await one.ended();
      if (code !== 0) problems.push(`exit code ${code}`);
      await after[place]?.start();
      await client.more(50 * rounds);
    }
    const journal = await client.stop();
    const checked = await checkStored({ urls, databaseUrl, tenant, journal });
    const applied = await queryPostgres(databaseUrl, 'SELECT hash FROM drizzle.__drizzle_migrations');
    const refusal = await prepareService({ args, env }).then((old) => old.start().then(() => '', String));
    if (!refusal.includes('newer release')) problems.push('the old release started on the new schema');
    for (const one of after) one.kill('SIGKILL');
    await Promise.all(after.map((one) => one.ended()));
    await drop();
    await rm(release, { recursive: true });
    const slowest = Math.max(
      ...journal.map((entry) =>
        entry.kind === 'acknowledged' && entry.sent < began + migrated ? entry.at - entry.sent : 0,
      ),
    );
    const note = `${applied.length} migrations, the new one in ${migrated} ms, during which a call took ${slowest} ms at most`;
    return figuresOf({ times: 1, journal, checked, moments, allowed: ['refused'], note, problems });
  },
};
