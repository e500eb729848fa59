import { beforeAll, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

/** Of each person one fact, told in other words than the question below, and others that are told alike. */
const FACTS = [
  [
    'What does Nadia do for a job?',
    'Nadia joined the harbour office in spring.',
    'Nadia painted her kitchen green.',
  ],
  ['Where does Oskar live?', 'Oskar relocated to a village near Ghent.', 'Oskar sold his old stamps.'],
  ['Wo wohnt Frieda?', 'Frieda ist nach Rostock umgezogen.', 'Frieda hat ein neues Fahrrad.'],
  [
    'Wer ist der Chef von Jürgen?',
    'Die Abteilung von Jürgen leitet Frau Sommer.',
    'Der Urlaub von Jürgen war schön.',
  ],
  ['¿En qué ciudad vive Elena?', 'Elena se ha mudado a Burgos.', 'Elena compró unas botas.'],
  ['¿Qué alergia tiene Mateo?', 'Mateo es intolerante al gluten.', 'Mateo es muy puntual.'],
  [
    'Quel est le métier de Camille ?',
    'Camille travaille au port de Brest.',
    'Camille chante sous la douche.',
  ],
  ['In quale città vive Bruno?', 'Bruno si è trasferito a Trieste.', 'Bruno ha perso le chiavi.'],
  ['Em que cidade mora Beatriz?', 'Beatriz se mudou para Braga.', 'Beatriz perdeu as chaves.'],
  ['Hoe oud is het huisdier van Joris?', 'De kat van Joris is negen.', 'De tuin van Joris is groot.'],
  ['Jaki zawód ma Kinga?', 'Kinga pracuje w porcie.', 'Kinga zgubiła parasol.'],
  ['Где живёт Тамара?', 'Тамара переехала в Псков.', 'Тамара купила зонт.'],
  ["Deniz'in mesleği ne?", 'Deniz limanda çalışıyor.', 'Deniz şemsiyesini kaybetti.'],
  ['ما مهنة نادر؟', 'نادر يعمل في الميناء.', 'نادر أضاع مظلته.'],
  ['गीता का पेशा क्या है?', 'गीता बंदरगाह पर नौकरी करती है।', 'गीता का छाता खो गया।'],
  ['미나의 직업은?', '미나는 항구에 있는 회사에 다닌다.', '미나는 우산을 잃어버렸다.'],
  ['婉如的先生叫什麼名字?', '婉如和丈夫國棟住在海邊。', '婉如買了很多傘。'],
  ['小雨的手机是多少?', '小雨办公室的电话是 55 0199。', '小雨昨天去了海边。'],
  ['王磊的太太叫什么名字?', '王磊和妻子陈静养了一只猫。', '王磊买了很多书。'],
  ['订单服务用的是哪个数据库?', '订单服务跑在 Postgres 16 上。', '订单服务由三组维护。'],
  ['田中さんの携帯は?', '田中さんの電話は 555-0142 です。', '田中さんの海は青いです。'],
] as const;

const kit = useTestEngine();
let agent: AgentMemory;
beforeAll(async () => {
  agent = (await kit.tenant()).agent();
  const contents = FACTS.flatMap(([, answer, other]) => [answer, other]);
  await agent.rememberBatch({
    memories: contents.map((content) => ({ type: 'semantic' as const, content })),
  });
});

it.each(FACTS)('%s', async (query, answer) => {
  const { results } = await agent.recall({ query, threshold: 0 });
  expect(results[0]?.content).toBe(answer);
});
