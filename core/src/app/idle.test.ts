import { expect, it } from 'vitest';
import { useTestEngine } from '../testing/engine.fixture.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const kit = useTestEngine();

/** The tasks that look after so many milliseconds, but those of every ten minutes or more. */
async function looksAfter(milliseconds: number): Promise<string[]> {
  kit.clock.advance(milliseconds);
  const often = new Set(
    kit.engine.background.tasks.filter(({ everyMs }) => everyMs <= MINUTE_MS).map(({ name }) => name),
  );
  return Object.keys(await kit.engine.background.runDue()).filter((name) => often.has(name));
}

it('has an idle embedded service look for nothing, until something is written', async () => {
  if (!kit.engine.database.writes) return;
  const { agent } = await kit.tenant();
  await agent().remember({ type: 'semantic', content: 'The kettle is in the left cupboard.' });
  await looksAfter(HOUR_MS);
  await looksAfter(MINUTE_MS);
  await looksAfter(MINUTE_MS);
  for (let minute = 0; minute < 7; minute += 1) expect(await looksAfter(MINUTE_MS)).toEqual([]);
  await agent().remember({ type: 'semantic', content: 'The teapot stands on the shelf.' });
  expect(await looksAfter(MINUTE_MS)).toEqual(expect.arrayContaining(['recall.index-large', 'jobs.work']));
});

it('archives what expires within the minute, though it rests', async () => {
  const { agent } = await kit.tenant();
  const expiresAt = new Date(kit.clock().getTime() + 5 * MINUTE_MS).toISOString();
  await agent().remember({ type: 'semantic', content: 'The lift is out of order.', expires_at: expiresAt });
  await looksAfter(MINUTE_MS);
  const archived = async () => {
    kit.clock.advance(MINUTE_MS);
    return (await kit.engine.background.runDue())['memory.archive-expired'] ?? 0;
  };
  const found: number[] = [];
  for (let minute = 2; minute <= 6; minute += 1) found.push(await archived());
  expect(found).toEqual([0, 0, 0, 1, 0]);
});
