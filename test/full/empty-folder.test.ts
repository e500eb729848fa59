import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { lstat, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../kit/listen.ts';
import { cleanUp, ROOT, temporaryFolder } from '../kit/process.ts';

cleanUp();

const run = promisify(execFile);
const MIB = 1_024 ** 2;
const LIMIT_MIB = 155;
const LIMIT_PACKAGES = 200;

let folder: string;
let environment: NodeJS.ProcessEnv;
let stop = async () => {};
let address: string;

/** The blocks of a README in one language, with this checkout's path put in. */
async function blocksOf(readme: string, language: string): Promise<string[]> {
  const text = (await readFile(join(ROOT, readme), 'utf8')).replaceAll(
    '/path/to/checkout',
    ROOT.replace(/\/$/, ''),
  );
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, code = '']) => code,
  );
}

const shell = (script: string) => run('bash', ['-euc', script], { cwd: folder, env: environment });

/** Starts what the README starts, and waits until it says that it runs. */
async function start(command: string): Promise<void> {
  const child = spawn(command, { cwd: folder, env: environment, shell: '/bin/bash', detached: true });
  const ended = once(child, 'close');
  stop = async () => {
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    await ended;
  };
  let written = '';
  const running = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        written += text;
        if (written.includes('Ctrl-C')) resolve();
      });
    }
    void ended.then(([code]) => reject(new Error(`ended with ${code}: ${written}`)));
  });
  await running;
}

beforeAll(async () => {
  await run(process.execPath, [join(ROOT, '.ci/pack.mjs')], { cwd: ROOT });
  folder = await temporaryFolder();
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  const { PATH } = process.env;
  const npm = { npm_config_prefer_offline: 'true', npm_config_audit: 'false' };
  environment = {
    PATH,
    HOME: folder,
    SVC_PORT: String(port),
    NPM_CONFIG_USERCONFIG: join(process.env.HOME ?? '', '.npmrc'),
    npm_config_cache: join(process.env.HOME ?? '', '.npm'),
    ...npm,
  };
  const [packing = '', installAndStart = ''] = await blocksOf('server/README.md', 'sh');
  expect(packing).toBe('npm ci && npm run pack\n');
  const [install = '', command = ''] = installAndStart.trim().split('\n');
  const began = performance.now();
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await shell(install);
  const installed = performance.now();
  await start(command);
  const started = performance.now();
  await shell('npx svc-memory remember "The spare key hangs behind the blue shed."');
  const { stdout } = await shell('npx svc-memory recall where is the spare key');
  expect(stdout).toContain('behind the blue shed');
  const ended = performance.now();
  const seconds = (from: number, to: number) => `${((to - from) / 1_000).toFixed(1)} s`;
  process.stdout.write(
    `empty folder: installed in ${seconds(began, installed)}, started in ${seconds(installed, started)}, remembered and recalled in ${seconds(started, ended)}: ${seconds(began, ended)}\n`,
  );
}, 600_000);
afterAll(() => stop());

describe('svc-memory, installed in an empty folder', () => {
  test('is small', async () => {
    const modules = join(folder, 'node_modules');
    const files = await readdir(modules, { recursive: true });
    const sizes = await Promise.all(
      files.map(async (file) => (await lstat(join(modules, file))).blocks * 512),
    );
    const mebibytes = sizes.reduce((sum, size) => sum + size, 0) / MIB;
    const lock = JSON.parse(await readFile(join(modules, '.package-lock.json'), 'utf8'));
    const packages = Object.entries<{ hasInstallScript?: boolean }>(lock.packages);
    process.stdout.write(`empty folder: ${mebibytes.toFixed(0)} MiB, ${packages.length} packages\n`);
    expect(mebibytes).toBeLessThan(LIMIT_MIB);
    expect(packages.length).toBeLessThan(LIMIT_PACKAGES);
    expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  });

  test('does what its README says', async () => {
    const commands = (await blocksOf('server/README.md', 'sh'))[2] ?? '';
    const { stdout } = await shell(commands);
    expect(stdout).toContain('Maya approves exceptions.');
    expect(readdirSync(join(folder, '.claude'))).toEqual(['settings.json']);
  });

  test('serves the dashboard and MCP', async () => {
    expect(await (await fetch(`${address}/`, { headers: { Accept: 'text/html' } })).text()).toContain(
      '<script',
    );
    const { api_key } = JSON.parse(await readFile(join(folder, '.svc/credentials.json'), 'utf8'));
    const answer = await fetch(`${address}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${api_key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(await answer.text()).toContain('svc_recall');
  });

  test('names the packages that a feature lacks', async () => {
    const env = {
      ...environment,
      SVC_REDIS_URL: 'redis://127.0.0.1:1',
      SVC_DATA_DIR: join(folder, 'other'),
      SVC_PORT: '0',
    };
    const failure = await run('npx', ['svc', 'serve'], { cwd: folder, env }).catch(
      (error: { stderr: string }) => error,
    );
    expect(failure.stderr).toMatch(/SVC_REDIS_URL needs packages.*npm install bull@[\d.]+ ioredis@[\d.]+/);
    const wallet = await fetch(`${address}/api/v1/auth/wallet`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ address: '0x52908400098527886E0F7030069857D2E4169EE7' }),
    });
    expect(await wallet.text()).toMatch(/npm install ox@[\d.]+/);
  });

  test("runs the TypeScript of core's README, which it brings along", async () => {
    const { api_key } = JSON.parse(await readFile(join(folder, '.svc/credentials.json'), 'utf8'));
    const env = { ...environment, SVC_API_URL: address, SVC_API_KEY: api_key };
    const outputs: string[] = [];
    for (const code of await blocksOf('core/README.md', 'ts')) {
      const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 };
      const { outputText } = transpileModule(code, { compilerOptions });
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', outputText], {
        cwd: folder,
        env,
      });
      outputs.push(stdout);
    }
    expect(outputs[0]).toContain('Deploys are frozen on Fridays.');
    expect(outputs[1]).toContain('# MEMORY INJECTION');
  });

  test('is loaded by require', async () => {
    const code = "const { connect } = require('@svc-memory/core/client'); console.log(typeof connect)";
    const { stdout } = await run(process.execPath, ['--input-type=commonjs', '-e', code], { cwd: folder });
    expect(stdout).toBe('function\n');
  });

  test.each([
    ['cut off', (file: string) => truncate(file, 100_000)],
    ['missing', (file: string) => rm(file)],
  ])('makes its database by itself where the template is %s', async (state, damage) => {
    const bundle = join(folder, 'node_modules/@svc-memory/core/bundle');
    const [template = ''] = (await readdir(bundle)).filter((name) => name.startsWith('template-'));
    await damage(join(bundle, template));
    const env = { ...environment, SVC_DATA_DIR: join(folder, state), SVC_PORT: '0' };
    await run('npx', ['svc', 'keys', 'create', '--new-tenant', 'Ada'], { cwd: folder, env });
    const { stdout } = await run('npx', ['svc', 'keys', 'list', '--json'], { cwd: folder, env });
    expect(JSON.parse(stdout)).toHaveLength(1);
  });
});
