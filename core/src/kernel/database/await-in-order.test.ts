import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { startTestEngine } from '../../testing/index.ts';
import { awaitInOrder } from '../runtime/waiting.ts';

test('of statements sent together, the failure of the first is thrown, whichever is heard first', async () => {
  const kit = await startTestEngine();
  const { tenantId } = await kit.tenant();
  const failing = kit.engine.database.transaction(tenantId, async (tx) => {
    // Heard last, as where it is wrapped in more promises than the other.
    const first = (async () => {
      try {
        return await tx.execute(sql`SELECT 1 / 0`);
      } finally {
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      }
    })();
    return awaitInOrder([first, Promise.resolve(tx.execute(sql`SELECT 1`))]);
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  await kit.close();
});
