import { writeFileSync } from 'node:fs';
import { serialize } from 'node:v8';
import { sql } from 'drizzle-orm';
import { recordDisk } from './recorded-disk.ts';

/** What this process is told: it writes memories into a new folder, and notes all that happens to the folder. */
export interface WriterOrders {
  readonly folder: string;
  /** File for the events. */
  readonly record: string;
  readonly sync: boolean;
  readonly writers: number;
  /** Memories of each writer in each of the two runs. */
  readonly writes: number;
}

const orders: WriterOrders = JSON.parse(process.argv[2] ?? '');
const events = recordDisk(orders.folder, (path) => /^pg([/\\]|$)/.test(path));
// Imported only now, as it is to use the functions that were replaced.
const { createEngine, openPglite } = await import('@svc-memory/core');

let tenantId: string | undefined;
for (const run of [1, 2]) {
  const database = await openPglite(orders.folder, { sync: orders.sync });
  const engine = createEngine({ database });
  tenantId ??= (await engine.tenants.create({ displayName: 'Power cut', plan: 'local' })).id;
  const agent = engine.agent(tenantId);
  const write = async (writer: number): Promise<void> => {
    for (let place = 0; place < orders.writes; place += 1) {
      // Every third write changes a memory that is there.
      const key = `${run}-${writer}-${place - (place % 3 === 2 ? 1 : 0)}`;
      const content = `Writer ${writer} put the ${place}th thing of run ${run} on the shelf. ${'And more. '.repeat(place % 40)}`;
      events.push({ kind: 'sent', key, content });
      await agent.remember({ type: 'semantic', key, content });
      events.push({ kind: 'acknowledged', key, content });
      // As the regular maintenance does now and then.
      if (writer === 0 && place % 10 === 5) await database.build(sql`CHECKPOINT`, 1);
    }
  };
  await Promise.all(Array.from({ length: orders.writers }, (_, writer) => write(writer)));
  await engine.close();
}
writeFileSync(orders.record, serialize(events));
