import { join } from 'node:path';
import { createEngine, openPglite } from '@svc-memory/core';
import { makeDataFolder } from '@svc-memory/core/testing';
import { expect, test } from 'vitest';
import { besideEngine, svc, useFolder } from './cli.fixture.ts';

const folder = useFolder();

const TOKEN = `ghp_${'Ab3'.repeat(12)}`;

/** A data folder with one memory that holds a secret. */
async function makeFolder(name: string) {
  const env = { SVC_DATA_DIR: join(folder.path, name), SVC_PORT: '0' };
  const open = async () =>
    createEngine({
      database: await openPglite(env.SVC_DATA_DIR, { sync: false }),
      settings: { redactSecrets: false },
    });
  await makeDataFolder(env.SVC_DATA_DIR);
  const engine = await open();
  const { id } = await engine.tenants.create({ displayName: 'Ada', plan: 'local' });
  await engine.agent(id).remember({ type: 'semantic', content: `The token is ${TOKEN}.` });
  await engine.close();
  return { env, open, id };
}

/** Runs the commands, which print no secret. */
async function scrub(env: Record<string, string>): Promise<void> {
  const dry = await svc('scrub --dry-run', env);
  expect(dry.out).toContain('1 × github-token\nThese would be taken out of 1 row of ');
  const done = await svc('scrub', env);
  expect(done.out).toContain('1 × github-token\nTaken out of 1 row of ');
  expect(dry.out + dry.err + done.out + done.err).not.toContain(TOKEN);
  expect((await svc('scrub', env)).out).toMatch(/^No secrets in [\d,]+ rows\.\n$/);
}

test('counts by kind what it would take out, then takes it out', async () => {
  const { env, open, id } = await makeFolder('stopped');
  await scrub(env);
  const engine = await open();
  expect((await engine.agent(id).query({})).memories).toMatchObject([
    { content: 'The token is [redacted: github-token].', version: 1 },
  ]);
  await engine.close();
}, 120_000);

test('beside the running service it has the service do so', async () => {
  const { env, id } = await makeFolder('running');
  const engine = createEngine({ database: await openPglite(env.SVC_DATA_DIR, { sync: false }) });
  const end = await besideEngine(env.SVC_DATA_DIR, engine);
  const find = async () => {
    const { results } = await engine.agent(id).recall({ query: 'what is the token' });
    return results.map(({ content }) => content).join();
  };
  expect(await find()).toContain(TOKEN);
  await scrub(env);
  expect(await find()).toContain('The token is [redacted: github-token].');
  expect(await svc('scrub --tenant nobody', env)).toEqual({
    code: 2,
    out: '',
    err: `svc: There is no tenant nobody.\n     Tenants: ${id} (Ada).\n`,
  });
  await end();
  await engine.close();
}, 120_000);
