import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { LogWriter } from './log-writer.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-log-'));
});
afterAll(() => rm(folder, { recursive: true }));

function open(file: string, flags: number | string): number {
  const fd = openSync(file, flags);
  onTestFinished(() => closeSync(fd));
  return fd;
}

/** A pipe that nobody reads unless the test does. */
function openPipe(name: string): number {
  const file = join(folder, name);
  execFileSync('mkfifo', [file]);
  return open(file, constants.O_RDWR | constants.O_NONBLOCK);
}

const LINE = `${'x'.repeat(999)}\n`;
const PIPE_BYTES = 65_536;

test('lines are written in their order, those that come meanwhile too', async () => {
  const file = join(folder, 'file.log');
  const writer = new LogWriter(open(file, 'a'));
  writer.add('1 é\n');
  writer.flush();
  writer.add('2\n');
  await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe('1 é\n2\n'));
  writer.add('3\n');
  writer.finish();
  expect(readFileSync(file, 'utf8')).toBe('1 é\n2\n3\n');
  expect(writer.bytes).toBe(0);
});

test('a reader that has stopped gets what waits when it reads again, and holds up no end', async () => {
  const pipe = openPipe('stopped');
  const writer = new LogWriter(pipe);
  for (let count = 0; count < 100; count += 1) writer.add(LINE);
  writer.flush();
  await vi.waitFor(() => expect(writer.bytes).toBe(100 * LINE.length - PIPE_BYTES));
  const began = performance.now();
  writer.finish();
  expect(performance.now() - began).toBeLessThan(2_000);
  readSync(pipe, Buffer.alloc(PIPE_BYTES));
  await vi.waitFor(() => expect(writer.bytes).toBe(0));
});

test('of a reader that has stopped no more than 4 MiB wait', () => {
  const writer = new LogWriter(openPipe('waiting'));
  for (let count = 0; count < 5_000; count += 1) writer.add(LINE);
  expect(writer.bytes).toBe(4_194_000);
});

test.skipIf(!existsSync('/dev/full'))('a full disk holds up no end', () => {
  const writer = new LogWriter(open('/dev/full', 'w'));
  writer.add(LINE);
  writer.finish();
  expect(writer.bytes).toBe(LINE.length);
});
