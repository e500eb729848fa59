// The least that a start of the embedded service can be: a process with PGlite, the service's schema and one query. The data
// folder is its argument; it says `ready`, and ends with its input.
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';

const [, , folder, migrationsFolder] = process.argv;
const client = await PGlite.create({ dataDir: folder, extensions: { vector } });
await client.exec('CREATE EXTENSION IF NOT EXISTS vector');
await migrate(drizzle(client), { migrationsFolder });
await client.query('SELECT count(*) FROM memories');
process.stdout.write('ready\n');
process.stdin.resume().once('end', () => client.close());
