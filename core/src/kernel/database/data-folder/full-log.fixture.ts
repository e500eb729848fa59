// Fills the write-ahead log of a folder on a disk that has no room for more of it, then gives room; says what it is at.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';

const [, , folder, sync] = process.argv;
let isFull = false;
const original = { openSync: fs.openSync, writeSync: fs.writeSync };
const drafts = new Set<number>();
// A segment of the log is written in full under this name before it is used.
fs.openSync = (path, ...rest) => {
  const file = original.openSync(path, ...rest);
  if (/xlogtemp/.test(String(path))) drafts.add(file);
  else drafts.delete(file);
  return file;
};
Object.assign(fs, {
  writeSync: (...args: Parameters<typeof fs.writeSync>) => {
    if (isFull && drafts.has(args[0]))
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    return original.writeSync(...args);
  },
});
syncBuiltinESMExports();
// Imported only now, as it is to use the functions that were replaced.
const { openPglite } = await import('../open-database.ts');

const database = await openPglite(folder, { sync: sync === 'on' });
const write = (text: string) =>
  database.batch(crypto.randomUUID(), [
    sql`SELECT pg_logical_emit_message(true, 'test', repeat(${text}, 400000))`,
  ]);
const tryUntil = async (isDone: (error: unknown) => boolean, pauseMs: number) => {
  for (;;) {
    const error = await write('log').then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (isDone(error)) return;
    await setTimeout(pauseMs);
  }
};
isFull = true;
await tryUntil((error) => error !== undefined, 0);
process.stdout.write(
  `${await database.ping().then(
    () => 'answers',
    () => 'stopped',
  )}\n`,
);
isFull = false;
await tryUntil((error) => error === undefined, 100);
process.stdout.write('works again\n');
isFull = true;
await tryUntil((error) => error !== undefined, 0);
await database.close();
process.stdout.write('closed\n');
