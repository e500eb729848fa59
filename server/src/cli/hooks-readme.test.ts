import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOOK_SCRIPT, loadSnapshot } from '@svc-memory/hooks';
import { afterAll, expect, test } from 'vitest';
import { svc } from './cli.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readme = readFileSync(fileURLToPath(new URL('../../../hooks/README.md', import.meta.url)), 'utf8');
const snippets = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  );

test("the commands of the hooks' README work in their order", async () => {
  const env = { HOME: folder, SVC_DATA_DIR: join(folder, 'data') };
  const commands = snippets('sh')
    .flatMap((text) => text.trim().split('\n'))
    // The plugin has a test of its own: see test/hooks/plugin.test.ts.
    .filter((command) => !command.includes('svc-memory-plugin'));
  expect(commands.length).toBeGreaterThan(3);
  for (const command of commands) {
    expect(command).toMatch(/^npx svc-memory /);
    const args = command.replace(/^npx svc-memory /, '').replace('/path/to/project', folder);
    expect(await svc(args, env), command).toMatchObject({ code: 0 });
  }
});

test('its SVC.md is one', () => {
  const [example = ''] = snippets('markdown');
  mkdirSync(join(folder, 'example'));
  writeFileSync(join(folder, 'example', 'SVC.md'), example);
  const saved = loadSnapshot(join(folder, 'example'));
  expect(saved).toMatchObject({ savedAt: '2026-02-01T09:30:00.000Z' });
  expect(example).toContain(`characters: ${saved?.text.length}\n`);
});

test('its settings are what an installation writes', async () => {
  const home = join(folder, 'another');
  await svc('hooks install claude-code', { HOME: home, SVC_DATA_DIR: join(home, 'data') });
  const { hooks } = JSON.parse(readFileSync(join(home, '.claude', 'settings.json'), 'utf8'));
  const [example = ''] = snippets('json');
  const named = example
    .replace('<this package>/dist/svc-hook.js', HOOK_SCRIPT)
    .replace('<node>', process.execPath)
    .replace('<folder of SVC.md>', join(home, '.svc'))
    .replace('<file>', join(home, 'data', 'credentials.json'));
  expect(JSON.parse(named).hooks.PreCompact).toEqual(hooks.PreCompact);
});
