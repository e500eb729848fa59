import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';

const HUMAN = { source: 'human' as const, credentialId: '00000000-0000-4000-8000-000000000002' };
/** Recalls until what is searched is held in memory. */
const WARM_UP = 12;

/** Of each language a fact, and a question about it with a letter left out, added, replaced, or two that are swapped. */
const ASKED = [
  ['Wann ist die Heizungswratung?', 'Die Heizungswartung kommt am Dienstag um neun.'],
  ['Wo ist der Schraubnschlüssel?', 'Der Schraubenschlüssel liegt in der Werkstatt.'],
  ['¿Dónde está el destornilador?', 'El destornillador está en el cajón rojo.'],
  ['¿Quién reparó la lavadoora?', 'La lavadora la reparó Hernán el lunes.'],
  ['Où est rangé le tournevvis ?', 'Le tournevis est rangé sous l’évier.'],
  ['Где лежит отверкта?', 'Отвертка лежит в красном ящике.'],
  ['Πού είναι το κατσαβδι;', 'Το κατσαβίδι είναι στο κόκκινο συρτάρι.'],
  ['when does Bogdanowitch arrive?', 'Bogdanowitsch arrives on Friday with the choir.'],
  ['the torunament', 'She won the tournament.'],
  ['vilin lesson', 'The violin lesson moved to Monday.'],
  ['is he alergic to anything?', 'He is allergic to nuts.'],
] as const;
const OTHERS = [
  'Der Termin beim Zahnarzt ist am Mittwoch.',
  'La bicicleta está en el sótano.',
  'Le vélo est dans la cave.',
  'Велосипед стоит в подвале.',
  'Το ποδήλατο είναι στο υπόγειο.',
  'The bicycle is in the cellar.',
];

const kits = new Map<string, TestEngine>();
beforeAll(async () => {
  kits.set('an index in memory', await startTestEngine());
  kits.set('the database', await startTestEngine({ settings: { recallHeldBytes: 0 } }));
});
afterAll(async () => {
  for (const kit of kits.values()) await kit.close();
});

async function contentsOf(agent: AgentMemory, query: string, threshold?: number): Promise<string[]> {
  for (let n = 0; n < WARM_UP; n += 1) await agent.recall({ query: 'the cellar' });
  const { results } = await agent.recall({ query, ...(threshold === undefined ? {} : { threshold }) });
  return results.map(({ content }) => content);
}

async function agentWith(name: string, contents: readonly string[]) {
  const kit = kits.get(name);
  if (!kit) throw new Error(`no kit ${name}`);
  const { agent } = await kit.tenant();
  const memories = contents.map((content) => ({ type: 'semantic' as const, content }));
  await agent().rememberBatch({ memories });
  return { agent, clock: kit.clock };
}

describe.each(['an index in memory', 'the database'])('a misspelt word, by %s', (name) => {
  let agent: AgentMemory;
  beforeAll(async () => {
    agent = (await agentWith(name, [...ASKED.map(([, answer]) => answer), ...OTHERS])).agent();
  });

  it.each(ASKED)('is read as one that the memories hold: %s', async (query, answer) => {
    expect(await contentsOf(agent, query)).toEqual([answer]);
  });

  it('is none that a memory holds, or that is short as names are', async () => {
    const { agent: named } = await agentWith(name, [
      'Martina Holm is allergic to penicillin.',
      'Katrin Vogel moved to Ghent.',
      'Der Bogenmacher Ludwig wohnt in Kiel.',
      'Der Wagenmacher Ludwig wohnt in Rostock.',
    ]);
    expect(await contentsOf(named(), 'Martin')).toEqual([]);
    expect(await contentsOf(named(), 'Karin')).toEqual([]);
    const [first] = await contentsOf(named(), 'Wo wohnt der Wagenmacher?', 0);
    expect(first).toContain('Rostock');
  });

  it('meets no word that the caller may not see', async () => {
    const { agent: as } = await agentWith(name, ['The bicycle is in the cellar.']);
    await as().remember({
      type: 'semantic',
      content: 'Bogdanowitsch has the key.',
      tags: ['private'],
    });
    await as().remember({ type: 'semantic', content: 'Przybylskis have the key.', user_id: 'u1' });
    const { session_key: sessionKey } = await as().sessionKey();
    await as().setVisibility({ tags: { private: 'hidden' } }, { sessionKey });
    expect(await contentsOf(as(), 'Bogdanowitch')).toEqual(['Bogdanowitsch has the key.']);
    expect(await contentsOf(as(HUMAN), 'Bogdanowitch', 0)).not.toContain('Bogdanowitsch has the key.');
    expect(await contentsOf(as(), 'Przybylsks', 0)).not.toContain('Przybylskis have the key.');
  });

  it('is looked up as it was in what the store knew then', async () => {
    const { agent: as, clock } = await agentWith(name, OTHERS);
    const { memory } = await as().remember({ type: 'semantic', content: 'Bogdanowitsch has the key.' });
    const then = clock().toISOString();
    clock.advance(1_000);
    await as().update({ id: memory.id, content: 'Hermenegilda has the key.' });
    const { results } = await as().recall({ query: 'Bogdanowitch', known_at: then });
    expect(results.map(({ content }) => content)).toEqual(['Bogdanowitsch has the key.']);
    expect(await contentsOf(as(), 'Bogdanowitch')).toEqual([]);
  });
});
