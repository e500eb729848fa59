import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@svc-memory/core';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { BackupFolder } from './backup-folder.ts';
import { backUpIfDue } from './daily-backups.ts';

const DAY_MS = 86_400_000;
const TODAY = Date.parse('2026-03-10T12:00:00Z');
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const database = { backUp: (file: string) => writeFile(file, '') } as unknown as Database;

let dataDir = '';
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-daily-'));
  await mkdir(join(dataDir, 'pg'));
  await mkdir(join(dataDir, 'backups'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
});

const nameAt = (time: number) => `${new Date(time).toISOString().replaceAll(/[:.]/g, '-')}-daily.zip`;

/** Puts backups there that were made when the clock showed these times. */
async function put(...times: number[]): Promise<void> {
  for (const time of times) await writeFile(join(dataDir, 'backups', nameAt(time)), '');
}

/** Lets the service look once at this time; answers the backups that there are then, the oldest first. */
async function look(time: number, keep = 3): Promise<string[]> {
  const now = () => time;
  const folder = new BackupFolder(dataDir, keep, now);
  await backUpIfDue({ dataDir, folder, database, logger, now });
  return (await readdir(join(dataDir, 'backups'))).sort();
}

test('a backup is made when the last one is a day old', async () => {
  await put(TODAY - DAY_MS + 1);
  expect(await look(TODAY)).toHaveLength(1);
  expect(await look(TODAY + 1)).toEqual([nameAt(TODAY - DAY_MS + 1), nameAt(TODAY + 1)]);
});

test('a backup of a clock that ran ahead is not the last one', async () => {
  const ahead = TODAY + 300 * DAY_MS;
  await put(ahead, TODAY - 2 * DAY_MS);
  expect(await look(TODAY)).toEqual([nameAt(TODAY - 2 * DAY_MS), nameAt(TODAY), nameAt(ahead)]);
  expect(await look(TODAY + 1)).toHaveLength(3);
});

test('data that a clock which ran ahead made are backed up at once', async () => {
  const long = Date.parse('2001-01-01T00:00:00Z');
  expect(await look(long)).toEqual([nameAt(long)]);
});

test('a clock that was set back by minutes makes none before its time', async () => {
  await put(TODAY + 10 * 60_000);
  expect(await look(TODAY)).toHaveLength(1);
});

test('backups of a clock that ran ahead take no place of others, and are kept until their time', async () => {
  const ahead = [300, 301, 302].map((days) => TODAY + days * DAY_MS);
  const past = [3, 2, 1].map((days) => TODAY - days * DAY_MS);
  await put(...ahead, ...past);
  expect(await look(TODAY)).toEqual([...past.slice(1), TODAY, ...ahead].map(nameAt));
  const later = TODAY + 400 * DAY_MS;
  expect(await look(later)).toEqual([...ahead.slice(1), later].map(nameAt));
});
