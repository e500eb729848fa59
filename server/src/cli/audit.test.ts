import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine, type Engine, openPglite } from '@svc-memory/core';
import { makeDataFolder } from '@svc-memory/core/testing';
import { beforeAll, expect, test } from 'vitest';
import { besideEngine, svc, useFolder } from './cli.fixture.ts';

const folder = useFolder();
let env: Readonly<Record<string, string>>;
let tenantId: string;
beforeAll(async () => {
  env = { SVC_DATA_DIR: join(folder.path, 'data'), SVC_PORT: '0' };
  await makeDataFolder(env.SVC_DATA_DIR ?? '');
  await withEngine(async (engine) => {
    ({ id: tenantId } = await engine.tenants.create({ displayName: 'Ada', plan: 'local' }));
    await engine.apiKeys.create(tenantId, { name: 'laptop', scope: 'full' });
    await engine.agent(tenantId).setBootConfig({ episodic_limit: 4 });
  });
});

async function withEngine<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = createEngine({ database: await openPglite(env.SVC_DATA_DIR ?? '', { sync: false }) });
  return work(engine).finally(() => engine.close());
}

/** The same, and commands have the engine act, as a running service: most of what a command takes is to open the folder. */
const besideService = <T>(work: (engine: Engine) => Promise<T>) =>
  withEngine(async (engine) => {
    const end = await besideEngine(env.SVC_DATA_DIR ?? '', engine);
    return work(engine).finally(end);
  });

const keep = async (name: string, text: string) => {
  const file = join(folder.path, name);
  await writeFile(file, text);
  return file;
};

test('the log is checked and exported while the service is stopped, and what is printed can be compared later', async () => {
  const { code, out, err } = await svc('audit verify', env);
  expect([code, err]).toEqual([
    0,
    `Ada (${tenantId}), account: intact, 3 entries\nAda (${tenantId}), agent: intact, 0 entries\n`,
  ]);
  const checkpoints = await keep('checkpoint.ndjson', out);
  const exported = await svc('audit export', env);
  expect(exported.code).toBe(0);
  const acts = exported.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).act);
  expect(acts).toEqual(['agent.created', 'api_key.created', 'boot_config.changed']);
  const whole = await keep('export.ndjson', exported.out);
  await besideService(async () => {
    for (const kept of [checkpoints, whole]) {
      expect((await svc(`audit verify --from ${kept}`, env)).code).toBe(0);
    }
    expect((await svc('audit export --chain agent', env)).out).toBe('');
  });
}, 60_000);

test.each([
  ['--from nowhere.ndjson', 'nowhere.ndjson cannot be read'],
  ['--from EMPTY', 'holds no checkpoint'],
  ['--from WRONG', 'Line 2 of'],
  ['--tenant 01a1fd1f-b240-70d3-b327-7aff81549621', 'There is no tenant'],
])(
  'wrong usage is said as such: %s',
  async (args, said) => {
    const empty = await keep('EMPTY', '\n');
    const line = JSON.stringify({ tenant_id: tenantId, chain: 'agent', sequence: 0, hash: '0'.repeat(64) });
    const wrong = await keep('WRONG', `${line}\n{"sequence": 1}\n`);
    const { code, err } = await svc(
      `audit verify ${args.replace('EMPTY', empty).replace('WRONG', wrong)}`,
      env,
    );
    expect([code, err]).toEqual([2, expect.stringContaining(said)]);
  },
  60_000,
);

test('beside the running service it has the service do so', async () => {
  await besideService(async () => {
    const { code, out, err } = await svc('audit verify', env);
    expect([code, err]).toEqual([0, expect.stringContaining('account: intact')]);
    expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({ tenant_id: tenantId, chain: 'account' });
    const exported = await svc('audit export', env);
    expect(exported.out.split('\n').length).toBeGreaterThan(3);
  });
}, 120_000);

test('a broken log ends with exit code 1 and its first broken entry', async () => {
  await besideService(async (engine) => {
    const tamper = (statement: string) => engine.database.accounts.execute(statement) as Promise<unknown>;
    const { out } = await svc('audit export', env);
    const whole = await keep('before.ndjson', out);
    await tamper(`UPDATE audit_entries SET act = 'agent.renamed' WHERE sequence = 2 AND chain = 'account'`);
    const changed = await svc('audit verify', env);
    expect([changed.code, changed.err]).toEqual([
      1,
      expect.stringContaining('account: BROKEN at entry 2: Entry 2, or entry 1 before it was changed'),
    ]);
    expect(changed.out).toContain('"agent"');
    expect(changed.out).not.toContain('"account"');
    // Who deletes the log together with its tenant is found by what was kept.
    for (const table of ['audit_entries', 'audit_heads', 'tenants']) await tamper(`DELETE FROM ${table}`);
    expect((await svc('audit verify', env)).code).toBe(0);
    const gone = await svc(`audit verify --from ${whole}`, env);
    expect([gone.code, gone.err]).toEqual([
      1,
      expect.stringContaining('The tenant of the checkpoint is missing'),
    ]);
  });
}, 120_000);
