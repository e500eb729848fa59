import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startService, useFolder } from './cli.fixture.ts';
import { logAndStop, settingsOf } from './serve-log.fixture.ts';

const folder = useFolder();

test.skipIf(!existsSync('/dev/full'))(
  'with its log on a full disk a service answers and stops',
  async () => {
    const full = await open('/dev/full', 'w');
    const service = startService(await settingsOf(folder, 'full'), [], full.fd);
    await full.close();
    await service.ready();
    expect(await logAndStop(service)).toBe(0);
  },
  60_000,
);
