import { expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const kit = useTestEngine();

/** A chat of one session as memories, and the contents that a recall finds in it, best first. */
async function chat(turns: readonly string[]) {
  const agent = (await kit.tenant()).agent();
  await agent.rememberBatch({
    memories: turns.map((content, minute) => ({
      type: 'episodic' as const,
      // Of other sessions, so that nothing but the turn itself tells.
      session_id: `chat ${minute}`,
      content,
      occurred_at: new Date(Date.UTC(2026, 1, 1, 9, minute)).toISOString(),
    })),
  });
  return async (query: string, threshold?: number) =>
    (await agent.recall({ query, threshold })).results.map(({ content }) => content);
}

it.each([
  ['Wann kam das Klavier?', 'Ben: Das Klavier kam am Freitag.', 'Ben: Das Klavier kam mit Kratzern.'],
  ['¿Qué día llegó el piano?', 'Ana: El piano llegó por fin entero el viernes.', 'Eva: El piano llegó roto.'],
  ['Когда привезли пианино?', 'Ира: Пианино привезли в пятницу.', 'Ира: Пианино привезли с царапиной.'],
  ['متى وصل البيانو؟', 'منى: وصل البيانو اخيرا سليما كاملا الجمعة.', 'سلمى: وصل البيانو مكسورا.'],
  ['ピアノはいつ届いたの？', '美咲: ピアノは金曜に届いたよ。', '美咲: ピアノは傷が付いて届いた。'],
  ['钢琴是什么时候送来的？', '小雯: 钢琴总算平安无事，周五送来的。', '小李: 钢琴送来的。'],
  ['피아노는 언제 왔어?', '민지: 피아노는 드디어 무사히 금요일에 왔어.', '민지: 피아노는 부서져 왔어.'],
])('%s is answered by what tells a time', async (query, tells, other) => {
  const find = await chat([other, tells]);
  expect((await find(query, 0))[0]).toBe(tells);
});

it.each([
  [
    'Was spielt Miriams Band?',
    'Miriam: Die Band spielt meistens gerne Jazz.',
    'Jonas: Miriam, die Band spielt Punk.',
  ],
  ['Что подарили Паше?', 'Паша: Мне сегодня утром подарили палатку.', 'Лена: Паша, мне подарили самовар.'],
  ['王小明养了什么鱼？', '王小明: 我最近在家里养了一条金鱼。', '李国强: 王小明，我养了鲤鱼。'],
])('%s is answered by who is named in another case or without spaces', async (query, said, other) => {
  const find = await chat([other, said]);
  expect((await find(query, 0))[0]).toBe(said);
});

/** Beside other memories, at the default threshold: words that only ask for what was told count for nothing. */
it.each([
  ['Was hast du mir über den Dachboden erzählt, woran erinnerst du dich?', 'Der Dachboden ist undicht.'],
  ['¿Recuerdas qué me dijiste sobre la manguera?', 'La manguera gotea en la terraza.'],
  ['Que t’ai-je raconté, tu te souviens, sur le grenier ?', 'Le grenier est humide.'],
  ['Расскажи, что ты говорила про чердак, помнишь?', 'Чердак протекает.'],
  ['제 다락방은 어디에 있고 몇 평이에요?', '다락방은 동쪽에 있다.'],
  ['私の健太さんの家賃はいくら？', '家賃は八万円です。'],
])('%s', async (query, fact) => {
  const find = await chat([
    fact,
    'The cat sleeps.',
    '书在桌上。',
    'Мама готовит суп.',
    'El tren llega tarde.',
  ]);
  expect((await find(query))[0]).toBe(fact);
});
