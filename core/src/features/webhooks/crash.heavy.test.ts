import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createEngine } from '../../app/engine.ts';
import { openPglite } from '../../kernel/database/open-database.ts';
import { startReceiver } from './receiver.fixture.ts';
import { createSecretBox } from './secret-box.ts';

const CHILD = fileURLToPath(new URL('crash.fixture.ts', import.meta.url));

it('threat 14: kill -9 between commit and delivery loses no event', async () => {
  const receiver = await startReceiver();
  const folder = await mkdtemp(join(tmpdir(), 'svc-crash-'));
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--import', 'tsx', CHILD, folder, receiver.url],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    // It says so when its write is acknowledged, and would deliver a second later.
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(receiver.received).toHaveLength(0);

    const webhooks = { secrets: createSecretBox('secret of the test'), allowPrivate: true };
    const engine = createEngine({ database: await openPglite(folder), webhooks });
    expect(await engine.background.run('events.deliver')).toBe(1);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ type: 'memory.stored' });
    await engine.close();
  } finally {
    child.kill('SIGKILL');
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  }
});
