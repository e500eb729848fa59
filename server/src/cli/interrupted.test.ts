import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listenInTest } from '../../../test/kit/use-server.ts';
import { startProcess, useFolder } from './cli.fixture.ts';
import { SIGNALS, stopAt } from './signals.fixture.ts';

const folder = useFolder();

test.each(SIGNALS)(
  'an export that %s stops leaves the file as it was, and none beside it',
  async (signal, code) => {
    const service = createServer((_request, response) => {
      response.write('{"success":true,"export":{"version":"1","memories":{"core":[\n');
    });
    const { url } = await listenInTest(service);
    const place = join(folder.path, signal);
    const file = join(place, 'all.json');
    await mkdir(place);
    await writeFile(file, 'before');
    const child = startProcess(['export', '--out', file], {
      SVC_API_URL: url,
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
