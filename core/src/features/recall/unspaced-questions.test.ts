import { beforeAll, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const FACTS = [
  '房租每个月四千五百元。',
  '我们团队一共有九个人。',
  '用户的名字叫李明。',
  '系统的用户名是admin7。',
  '张伟是后端组的组长。',
  '打印机的墨盒型号是HP 680。',
  '会议室の鍵は受付にあります。',
  '田中さんの誕生日は五月三日です。',
  'ユーザーは京都に住んでいる。',
  '사용자는 부산에서 일한다.',
  '회의는 화요일 오전에 열린다.',
  '텐트를 다락에 보관한다.',
  '어머니의 주치의는 박 선생님이다.',
  '강아지 콩이는 오리 사료만 먹는다.',
  '양봉 책을 은주에게서 빌렸다.',
];

const kit = useTestEngine();
let agent: AgentMemory;
beforeAll(async () => {
  agent = (await kit.tenant()).agent();
  await agent.rememberBatch({ memories: FACTS.map((content) => ({ type: 'semantic' as const, content })) });
});

/** What only asks counts for nothing, so that the default threshold keeps the answer. */
it.each([
  ['房租一个月多少钱?', FACTS[0]],
  ['团队有多少人?', FACTS[1]],
  ['用户的名字是什么?', FACTS[2]],
  ['系统的用户名是什么?', FACTS[3]],
  ['后端组的组长是谁?', FACTS[4]],
  ['打印机用的墨盒是什么型号的呢?', FACTS[5]],
  ['会議室の鍵はどこですか?', FACTS[6]],
  ['田中さんの誕生日はいつですか?', FACTS[7]],
  ['ユーザーはどこに住んでいますか?', FACTS[8]],
  ['사용자는 어디에서 일한다?', FACTS[9]],
  ['회의는 언제 열린다?', FACTS[10]],
  ['텐트는 어디에 있나요?', FACTS[11]],
  ['어머니의 주치의는 누구인가요?', FACTS[12]],
  ['콩이는 사료를 뭘 먹나요?', FACTS[13]],
  ['양봉에 관한 책을 누구에게서 빌렸죠?', FACTS[14]],
])('%s', async (query, fact) => {
  const { results } = await agent.recall({ query });
  expect(results[0]?.content).toBe(fact);
});

it('what is nothing but a question is still looked up', async () => {
  await expect(agent.recall({ query: '什么?' })).resolves.toBeDefined();
  await expect(agent.recall({ query: 'どこ' })).resolves.toBeDefined();
});
