import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { attachPglite, EXTENSIONS } from '../src/kernel/database/pglite/pglite.ts';
import { BUNDLE, templateName } from '../src/kernel/database/pglite/template.ts';

const template = templateName();
await mkdir(BUNDLE, { recursive: true });
const others = (await readdir(BUNDLE)).filter((name) => name.startsWith('template-') && name !== template);
for (const name of others) await rm(join(BUNDLE, name));
// What else makes a database, such as policies, is brought up to date at each start.
if (!(await readdir(BUNDLE)).includes(template)) await make(join(BUNDLE, template));

async function make(file: string): Promise<void> {
  const client = await PGlite.create({ extensions: EXTENSIONS });
  const database = await attachPglite(client);
  // Databases from which others are made: nobody makes one, and they are two thirds of all files.
  await client.exec('UPDATE pg_database SET datistemplate = false');
  await client.exec('DROP DATABASE template0');
  await client.exec('DROP DATABASE template1');
  await client.exec('CHECKPOINT');
  const archive = Buffer.from(await (await client.dumpDataDir('gzip')).arrayBuffer());
  await database.close();
  await writeFile(`${file}.new`, archive);
  await rename(`${file}.new`, file);
}
