import { sql } from 'drizzle-orm';
import { rows } from '../kernel/database/database.ts';
import type { TestEngine } from '../testing/index.ts';

/** Every row of every table with texts, as text. */
export async function dump(kit: TestEngine): Promise<string> {
  return kit.engine.database.system(async (tx) => {
    const tables = await rows<{ name: string }>(
      tx,
      sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'memory_vectors'`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const found = await rows<{ row: string }>(
        tx,
        sql`SELECT t::text AS row FROM ${sql.identifier(name)} t`,
      );
      texts.push(...found.map(({ row }) => `${name}: ${row}`));
    }
    return texts.join('\n');
  });
}

/** The tables and rows in which a text stands. */
export function linesWith(dumped: string, text: string): string[] {
  return dumped
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => line.slice(0, 200));
}
