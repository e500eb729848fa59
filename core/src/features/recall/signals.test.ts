import { beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from '../../app/engine.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { RECALL_SIGNALS, type RecallSignal } from './contract.ts';

const kit = useTestEngine();
let tenantId: string;
beforeAll(async () => {
  const created = await kit.tenant();
  tenantId = created.tenantId;
  const agent = created.agent();
  const at = (day: number) => ({ occurred_at: `2026-02-0${day}T00:00:00Z` });
  await agent.rememberBatch({
    memories: [
      { type: 'episodic', content: 'Maya: We painted the garden gate.', session_id: 's', ...at(1) },
      { type: 'episodic', content: 'Ben: Green, as always.', session_id: 's', ...at(1) },
      { type: 'episodic', content: 'The oars are kept in the shed.', ...at(1), importance: 0 },
      { type: 'episodic', content: 'The oars are kept in the shed!', ...at(3), importance: 1 },
      { type: 'semantic', content: 'Petrel is a boat.', ...at(2) },
      { type: 'semantic', content: ' Petrel is a  boat.', key: 'boat', ...at(2) },
    ],
  });
});

const recall = async (query: string, without: readonly RecallSignal[] = []) => {
  const { engine: whole, clock } = kit;
  const engine = createEngine({ database: whole.database, clock, settings: { recallWithout: without } });
  return (await engine.agent(tenantId).recall({ query, threshold: 0, limit: 6 })).results;
};
const similarityTo = async (query: string, text: string, without: readonly RecallSignal[] = []) =>
  (await recall(query, without)).find(({ content }) => content.includes(text))?.similarity ?? 0;

describe('a recall blind for', () => {
  it.each<[RecallSignal, string, string]>([
    ['words', 'garden gate', 'garden gate'],
    ['vectors', 'a ship called Petrel', 'Petrel'],
    ['time', 'what are the newest oars', 'shed!'],
    ['importance', 'where are the oars', 'shed!'],
    ['neighbours', 'painted the garden gate', 'Green'],
    ['wording', 'who painted the gate, Maya', 'Maya'],
  ])('%s finds the same memory, with less to speak for it', async (signal, query, text) => {
    expect(await similarityTo(query, text, [signal])).toBeLessThan(await similarityTo(query, text));
  });

  it('copies shows them', async () => {
    const boats = async (without: readonly RecallSignal[]) =>
      (await recall('Petrel is a boat', without)).filter(({ content }) => content.includes('Petrel')).length;
    expect([await boats([]), await boats(['copies'])]).toEqual([1, 2]);
  });

  it('everything finds nothing better than anything else', async () => {
    const results = await recall('garden gate', RECALL_SIGNALS);
    expect(new Set(results.map(({ similarity }) => similarity)).size).toBe(1);
  });
});
