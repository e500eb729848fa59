import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startProcess, useFolder } from './cli.fixture.ts';
import { SIGNALS, stopAt } from './signals.fixture.ts';

const folder = useFolder();

test.each(SIGNALS)(
  'an export that %s stops leaves the file as it was, and none beside it',
  async (signal, code) => {
    const service = createServer((_request, response) => {
      response.write('{"success":true,"export":{"version":"1","memories":{"core":[\n');
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      service.closeAllConnections();
      service.close();
    });
    const { port } = service.address() as AddressInfo;
    const place = join(folder.path, signal);
    const file = join(place, 'all.json');
    await mkdir(place);
    await writeFile(file, 'before');
    const child = startProcess(['export', '--out', file], {
      SVC_API_URL: `http://127.0.0.1:${port}`,
      SVC_API_KEY: 'svc_x',
    });
    expect(await stopAt(child, { folder: place, ending: '.tmp', signal })).toEqual({
      code,
      err: `svc: Stopped: nothing was written to ${file}.\n`,
    });
    expect(await readdir(place)).toEqual(['all.json']);
    expect(await readFile(file, 'utf8')).toBe('before');
  },
);
