import { openPostgres } from '@svc-memory/core';
import { createTestDatabase, queryPostgres } from '@svc-memory/core/testing';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';

it('an index is built with the memory it needs, which no other connection keeps', async () => {
  const { url, drop } = await createTestDatabase(process.env.SVC_TEST_DATABASE_URL ?? '');
  await queryPostgres(
    url,
    `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET maintenance_work_mem = '32MB'`,
  );
  const database = await openPostgres({ url, poolSize: 3 });
  try {
    const memory = "SELECT current_setting('maintenance_work_mem') AS memory";
    await database.build(sql.raw(`CREATE TABLE needy AS ${memory}`), 300);
    await database.build(sql.raw(`CREATE TABLE modest AS ${memory}`), 1);
    expect(await queryPostgres(url, 'SELECT memory FROM needy UNION ALL SELECT memory FROM modest')).toEqual([
      { memory: '300MB' },
      { memory: '32MB' },
    ]);
    const others = await Promise.all(
      Array.from({ length: 6 }, () => database.systemBatch([sql.raw(memory)])),
    );
    expect(others.flat(2)).toEqual(others.map(() => ({ memory: '32MB' })));
  } finally {
    await database.close();
    await drop();
  }
});
