import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { wipItems } from '../../features/agenda/schema.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { compileStatement } from './compiled-statement.ts';
import { type Rows, rows } from './database.ts';
import { realsBinary } from './parameters.ts';

describe('statements of a batch', () => {
  const kit = useTestEngine();

  const add = (tenantId: string, title: string) => {
    const now = kit.clock().toISOString();
    return sql`INSERT INTO ${wipItems} (tenant_id, id, title, status, created_at, updated_at, source)
      VALUES (${tenantId}, ${randomUUID()}, ${title}, 'open', ${now}, ${now}, 'agent') RETURNING title, note`;
  };
  const titles = sql`SELECT title FROM ${wipItems} ORDER BY title`;

  it('are answered in order, each with its rows', async () => {
    const { tenantId } = await kit.tenant();
    const answers = await kit.engine.database.batch(tenantId, [
      add(tenantId, 'one'),
      sql`UPDATE ${wipItems} SET note = ${'seen'}`,
      sql`SELECT title, note FROM ${wipItems} WHERE note IS DISTINCT FROM ${null}`,
      sql`SELECT 1 AS one WHERE ${false}`,
    ]);
    expect(answers).toEqual([[{ title: 'one', note: null }], [], [{ title: 'one', note: 'seen' }], []]);
    expect(await kit.engine.database.batch(tenantId, [])).toEqual([]);
  });

  it.each([
    ['short', ''],
    ['long', ' and so on'.repeat(2_000)],
  ])('are done together or not at all, and what failed can be sent again: %s ones', async (_, more) => {
    const { tenantId } = await kit.tenant();
    // Divides by what it is given: the same statement fails, and does not.
    const batch = (divisor: number, title: string) =>
      kit.engine.database.batch(tenantId, [
        add(tenantId, title),
        sql`SELECT 1 / ${divisor}::int AS quotient, ${`told apart${more}`}::text AS name`,
        sql`SELECT title FROM ${wipItems} WHERE title = ${title}`,
      ]);
    // As many at once as there are connections, so that each of them meets the failure first.
    const failed = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => batch(0, `failed ${n}${more}`)),
    );
    expect(failed).toMatchObject(failed.map(() => ({ status: 'rejected', reason: { code: '22012' } })));
    const done = await Promise.all(Array.from({ length: 10 }, (_, n) => batch(1, `done ${n}${more}`)));
    expect(done.map(([, , found]) => found)).toEqual(done.map((_, n) => [{ title: `done ${n}${more}` }]));
    const [all] = await kit.engine.database.batch(tenantId, [titles]);
    expect(all).toHaveLength(10);
  });

  it('may be those of a transaction too, which fails and is done again', async () => {
    const { tenantId } = await kit.tenant();
    const statement = (divisor: number) => sql`SELECT 6 / ${divisor}::int AS both`;
    const { database } = kit.engine;
    const ten = <T>(call: () => Promise<T>) => Promise.allSettled(Array.from({ length: 10 }, call));
    const alone = (divisor: number) =>
      database.transaction(tenantId, (tx) => rows<{ both: number }>(tx, statement(divisor)));
    for (const done of await ten(() => database.batch(tenantId, [statement(2)]))) {
      expect(done).toMatchObject({ value: [[{ both: 3 }]] });
    }
    for (const failed of await ten(() => alone(0)))
      expect(failed).toMatchObject({ reason: { code: '22012' } });
    for (const done of await ten(() => alone(3))) expect(done).toMatchObject({ value: [{ both: 2 }] });
    const [[after] = []] = await database.batch(tenantId, [statement(6)]);
    expect(after).toEqual({ both: 1 });
  });

  it('may be compiled before, and are filled anew each time', async () => {
    const { tenantId } = await kit.tenant();
    const { database } = kit.engine;
    const named = compileStatement<{ name: string; times: number }>(
      (
        slot,
      ) => sql`SELECT ${slot('name')}::text || ${'!'} AS name, ${slot('times')}::int * ${slot('times')}::int AS squared
        WHERE ${slot('name')}::text <> 'nobody'`,
    );
    const answers = await database.batch(tenantId, [
      named({ name: "Ann'; --", times: 3 }),
      named({ name: 'nobody', times: 4 }),
      named({ name: '$1 \\', times: 5 }),
    ]);
    expect(answers).toEqual([[{ name: "Ann'; --!", squared: 9 }], [], [{ name: '$1 \\!', squared: 25 }]]);
  });

  it('take numbers in their binary form, as those of a transaction do, prepared or too long for that', async () => {
    const { tenantId } = await kit.tenant();
    const { database } = kit.engine;
    const vectors = [Float32Array.of(0.1, -2.5e-12), Float32Array.of(3.4e38, 16_777_217)];
    const statement = (comment: string) =>
      sql`SELECT (${realsBinary(vectors)}::real[])::float8[]::text AS numbers ${sql.raw(comment)}`;
    const numbers = `{${vectors.flatMap((vector) => [...vector]).join(',')}}`;
    const both = ['', `/* ${'long '.repeat(4_000)} */`].map(statement);
    expect(await database.batch(tenantId, both)).toEqual(both.map(() => [{ numbers }]));
    const inTransaction = await database.transaction(tenantId, async (tx) => [
      ...(await rows(tx, both[0] as SQL)),
      ...(await rows(tx, both[1] as SQL)),
    ]);
    expect(inTransaction).toEqual([{ numbers }, { numbers }]);
    const [[empty] = []] = await database.batch(tenantId, [
      sql`SELECT cardinality(${realsBinary([])}::real[]) AS length`,
    ]);
    expect(empty).toEqual({ length: 0 });
  });

  it('tell the rows of the first early, while the others still wait, and also where these fail', async () => {
    const { tenantId } = await kit.tenant();
    const { database } = kit.engine;
    const [[made] = []] = await database.batch(tenantId, [add(tenantId, 'one')]);
    expect(made).toBeDefined();
    const change = sql`UPDATE ${wipItems} SET note = ${'changed'} RETURNING note`;
    let early: Promise<Rows> | undefined;
    let batch: Promise<Rows[]> | undefined;
    const start = () => {
      early = new Promise((resolve) => {
        batch = database.batch(tenantId, [titles, change], resolve);
      });
    };
    await database.transaction(tenantId, async (tx) => {
      // PGlite has one connection: there nobody is served meanwhile.
      if (database.kind !== 'postgres') return;
      await tx.execute(sql`SELECT 1 FROM ${wipItems} FOR UPDATE`);
      start();
      expect(await early).toEqual([{ title: 'one' }]);
    });
    if (!early) start();
    expect(await early).toEqual([{ title: 'one' }]);
    expect(await batch).toEqual([[{ title: 'one' }], [{ note: 'changed' }]]);

    const told: Rows[] = [];
    const failing = database.batch(tenantId, [titles, sql`SELECT 1 / ${0}::int AS none`], (rows) => {
      told.push(rows);
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(told).toEqual([[{ title: 'one' }]]);
  });

  it('stay within their tenant', async () => {
    const [one, other] = [await kit.tenant(), await kit.tenant()];
    await kit.engine.database.batch(one.tenantId, [add(one.tenantId, 'mine')]);
    const many = await Promise.all(
      [one, other, other, one].map(({ tenantId }) => kit.engine.database.batch(tenantId, [titles])),
    );
    expect(many.map(([found]) => found?.length)).toEqual([1, 0, 0, 1]);
    await expect(
      kit.engine.database.batch(one.tenantId, [add(other.tenantId, 'forged')]),
    ).rejects.toMatchObject({ code: '42501' });
  });
});
