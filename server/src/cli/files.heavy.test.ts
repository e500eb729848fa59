import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from '@svc-memory/core/client';
import type { AgentMemory } from '@svc-memory/core/contract';
import { makeDataFolder } from '@svc-memory/core/testing';
import { beforeAll, expect, test } from 'vitest';
import { startService, useFolder } from './cli.fixture.ts';

const SVC = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));
const SLOW = 600_000;

const folder = useFolder();
const at = (name: string) => join(folder.path, name);

beforeAll(async () => {
  await makeDataFolder(at('data'));
}, SLOW);

function sync(name: string, ...more: string[]) {
  const args = [SVC, 'files', 'sync', at(name), '--path', `/memories/${name}`, ...more];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, SVC_DATA_DIR: at('data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, ended: once(child, 'exit') };
}

async function serve(port = '0') {
  const service = startService({ SVC_DATA_DIR: at('data'), SVC_PORT: port });
  await service.ready();
  const { api_key: apiKey } = JSON.parse(await readFile(at('data/credentials.json'), 'utf8'));
  return { service, memory: connect({ url: service.url(), apiKey }) };
}

async function textsOf(memory: AgentMemory, name: string): Promise<Record<string, string>> {
  const { files } = await memory.files({ path: `/memories/${name}` });
  const texts: Record<string, string> = {};
  for (const { path, id } of files) {
    texts[path.slice(`/memories/${name}/`.length)] = (await memory.get({ id })).memory.content;
  }
  return texts;
}

/** Waits until a condition holds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await wait(100);
}

test(
  'killed again and again, a sync loses nothing',
  async () => {
    const { service, memory } = await serve();
    await mkdir(at('killed'));
    const names = Array.from({ length: 60 }, (_, index) => `note-${index}.md`);
    for (const name of names) await writeFile(at(`killed/${name}`), `First text of ${name}\n`);
    let kills = 0;
    for (let delay = 700; ; delay += 150) {
      const { child, ended } = sync('killed');
      const timer = setTimeout(() => child.kill('SIGKILL'), delay);
      const [code] = await ended;
      clearTimeout(timer);
      if (code === 0) break;
      kills += 1;
      // Edited meanwhile, on one side or the other.
      const name = `note-${kills % 60}.md`;
      await writeFile(at(`killed/${name}`), `Text ${kills} of ${name}\n`);
    }
    expect(kills).toBeGreaterThan(2);
    expect((await sync('killed').ended)[0]).toBe(0);
    const there = await textsOf(memory, 'killed');
    for (const name of names) expect(there[name]).toBe(await readFile(at(`killed/${name}`), 'utf8'));
    const everything = JSON.stringify(await memory.export());
    for (const name of names) expect(everything).toContain(`of ${name}`);
    service.process.kill('SIGTERM');
    await service.ended;
  },
  SLOW,
);

test(
  'with --watch changes go both ways, also after the service was away',
  async () => {
    const { service, memory } = await serve();
    const port = new URL(service.url()).port;
    await mkdir(at('watched'));
    const watching = sync('watched', '--watch');
    try {
      await writeFile(at('watched/a.md'), 'one');
      await until(async () => (await textsOf(memory, 'watched'))['a.md'] === 'one');
      await memory.fileCommand({ command: 'create', path: '/memories/watched/b.md', file_text: 'two' });
      await until(async () => (await readFile(at('watched/b.md'), 'utf8')) === 'two');

      service.process.kill('SIGKILL');
      await service.ended;
      await writeFile(at('watched/a.md'), 'edited while it was away');
      await rm(at('watched/b.md'));
      const again = await serve(port);
      await until(async () => {
        const texts = await textsOf(again.memory, 'watched');
        return texts['a.md'] === 'edited while it was away' && !('b.md' in texts);
      });
      watching.child.kill('SIGTERM');
      expect(await watching.ended).toEqual([0, null]);
    } finally {
      watching.child.kill('SIGKILL');
    }
  },
  SLOW,
);
