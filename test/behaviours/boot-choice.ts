import type { AgentMemory } from '@svc-memory/core/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Door } from './door.ts';

type NewMemory = Parameters<AgentMemory['rememberBatch']>[0]['memories'][number];
const DAY_MS = 86_400_000;
const THINGS =
  `garden invoice server concert recipe bicycle contract kitchen deadline database workshop guitar passport
  window budget library marathon photograph meeting sensor notebook harbour vaccine railway curtain novel`.split(
    /\s+/,
  );

/** Words that differ from those of other numbers, so that no text is a near-copy of another. */
function words(number: number): string {
  const thing = (step: number) => THINGS[(number * step + step) % THINGS.length];
  return `${thing(3)} ${thing(7)} w${number.toString(36)}a w${number.toString(36)}b w${number.toString(36)}c`;
}

/** What finds its way into a boot when space is short. */
export function describeBootChoice(door: Door): void {
  describe('what a boot chooses', () => {
    let agent: AgentMemory;
    beforeEach(async () => {
      agent = await door.newAgent();
    });
    const at = (daysAgo: number) => new Date(door.clock().getTime() - daysAgo * DAY_MS).toISOString();
    const store = (memories: readonly NewMemory[]) => agent.rememberBatch({ memories: [...memories] });
    const of = async (token_budget: number) => {
      const { injection, estimated_tokens } = await agent.previewBoot({ token_budget });
      expect(estimated_tokens).toBeLessThanOrEqual(token_budget);
      return injection;
    };
    const many = (count: number, make: (index: number) => Partial<NewMemory> & { content: string }) =>
      Array.from(
        { length: count },
        (_, index): NewMemory =>
          ({ type: 'semantic', tags: [], importance: 0.5, ...make(index) }) as NewMemory,
      );
    const standUps = (count: number) =>
      many(count, (index) => ({
        type: 'episodic',
        content: `Stand-up ${index}: talked about ${words(index)}, nothing is blocked.`,
        importance: 0.1,
        occurred_at: at(index + 1),
      }));

    it('An important episode of long ago is there beside many recent ones that matter little', async () => {
      await store([
        ...standUps(30),
        ...many(1, () => ({
          type: 'episodic',
          content: 'Incident: the failover dropped ACME orders.',
          importance: 1,
          occurred_at: at(150),
        })),
      ]);
      for (const budget of [600, 1500, 4000]) {
        const injection = await of(budget);
        expect(injection).toContain('ACME orders');
        expect(injection).toContain('Stand-up 0:');
      }
      const shown = (await of(4000)).match(/(?<=- \[)\d{4}-\d\d-\d\d \d\d:\d\d/g) ?? [];
      expect(shown).toHaveLength(20);
      expect(shown).toEqual([...shown].sort());
    });

    it('A critical fact comes before the ordinary ones, also where little fits', async () => {
      await store([
        ...many(40, (index) => ({ content: `It is known that ${words(index)} belong together.` })),
        ...many(40, (index) => ({ type: 'working', content: `State of ${words(index + 50)} is open.` })),
        ...many(1, () => ({
          content: 'CRITICAL: ACME data must stay in the EU.',
          importance: 1,
          occurred_at: at(200),
        })),
      ]);
      expect(await of(600)).toContain('ACME data must stay in the EU');
      expect(await of(1500)).toMatch(/## What you know\n- \[[^\]]*\] CRITICAL: ACME/);
    });

    it('What is overdue is there, however much else there is', async () => {
      await store([
        ...many(60, (index) => ({ content: `CRITICAL: ${words(index)} belong together.`, importance: 1 })),
        ...many(60, (index) => ({
          type: 'working',
          content: `State of ${words(index + 70)} is open.`,
          importance: 1,
        })),
      ]);
      for (const days of [2, 60]) {
        await agent.createScheduleItem({
          title: `Pay ${days} days ago`,
          due_at: at(days),
          note: words(days),
        });
      }
      for (let days = 1; days < 30; days += 1) {
        await agent.createScheduleItem({
          title: `Ahead ${words(days)}`,
          due_at: at(-days),
          note: 'x '.repeat(300),
        });
      }
      for (const budget of [600, 1500, 4000]) {
        const injection = await of(budget);
        expect(injection).toMatch(/overdue[^\]]*\] Pay 2 days ago/);
        expect(injection).toMatch(/overdue[^\]]*\] Pay 60 days ago/);
      }
    });

    it('The orientation guide is never cut: where it does not fit, a shorter one takes its place', async () => {
      await agent.boot();
      await store(many(80, (index) => ({ content: `It is known that ${words(index)} belong together.` })));
      for (const budget of [500, 600, 1500, 4000]) {
        const injection = await of(budget);
        const guide = /^- \[reorient, key orientation\] (.*\n( {2}>.*\n)*)/m.exec(injection)?.[1] ?? '';
        expect(guide).toMatch(/^Orientation\b/);
        expect(guide).toMatch(/\.\n$/);
        expect(guide).not.toContain('[cut, ');
      }
    });

    it('Many important episodes of long ago leave room to what happened last, and the reverse', async () => {
      await store([
        ...standUps(60),
        ...many(40, (index) => ({
          type: 'episodic',
          content: `Incident ${index}: ${words(index + 100)} failed.`,
          importance: 1,
          occurred_at: at(200 + index),
        })),
      ]);
      for (const budget of [600, 1500, 4000]) {
        const injection = await of(budget);
        expect(injection).toContain('Stand-up 0:');
        expect(injection).toContain('Incident 0:');
      }
      const injection = await of(4000);
      expect(injection.match(/Incident \d+:/g)?.length).toBeGreaterThanOrEqual(5);
      expect(injection.match(/Stand-up \d+:/g)?.length).toBeGreaterThanOrEqual(5);
    });

    it('Where all episodes matter alike, the newest are there', async () => {
      for (const importance of [0.5, 1]) {
        agent = await door.newAgent();
        await store(
          many(50, (index) => ({
            type: 'episodic',
            content: `Event ${index}: ${words(index)} came.`,
            importance,
            occurred_at: at(index),
          })),
        );
        const shown = [...(await of(4000)).matchAll(/Event (\d+):/g)].map(([, number]) => Number(number));
        expect(shown.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
      }
    });

    it('What was said again and again comes before what was said once', async () => {
      await store([
        ...many(200, (index) => ({
          content: `It is known that ${words(index)} belong together.`,
          occurred_at: at(index % 30),
        })),
        ...many(5, (index) => ({
          content: `Maya never wants${' '.repeat(index + 1)}calls before ten o'clock.`,
          occurred_at: at(20 + index),
        })),
      ]);
      const injection = await of(1500);
      expect(injection.match(/before ten o'clock/g)).toHaveLength(1);
    });

    it('Overdue dates with long notes are there at 600 tokens before all that is due later', async () => {
      for (const days of [1, 3, 300]) {
        await agent.createScheduleItem({
          title: `Pay number ${days}`,
          due_at: at(days),
          note: 'long note '.repeat(60),
        });
      }
      for (let days = 1; days < 29; days += 1) {
        await agent.createScheduleItem({ title: `Ahead ${words(days)}`, due_at: at(-days) });
      }
      await store(
        many(3, (index) => ({ type: 'core', category: 'identity', content: `I am ${words(index)}.` })),
      );
      const injection = await of(600);
      for (const days of [1, 3, 300]) expect(injection).toContain(`Pay number ${days}`);
    });

    it('An overdue date is there at the smallest budget, and beside a long identity', async () => {
      await store(
        many(1, () => ({
          type: 'core',
          category: 'soul',
          content: 'I keep my promises to everybody. '.repeat(60),
        })),
      );
      await agent.createScheduleItem({ title: 'Pay the rent', due_at: at(3), note: 'long note '.repeat(60) });
      await store(
        many(30, (index) => ({
          type: 'working',
          content: `State of ${words(index)} is open.`,
          importance: 1,
        })),
      );
      for (const budget of [256, 300, 600]) {
        const injection = await of(budget);
        expect(injection).toContain('Pay the rent');
        expect(injection).toContain('I keep my promises');
      }
    });

    it('One huge critical memory does not push out the other critical ones', async () => {
      await store([
        ...many(1, () => ({ content: `CRITICAL: huge ${words(1).repeat(400)}`, importance: 1 })),
        ...many(4, (index) => ({
          content: `CRITICAL: small ${index} ${words(index + 2)}.`,
          importance: 0.9,
        })),
      ]);
      for (const truncate_at of [600, 32_768]) {
        for (const token_budget of [600, 1500]) {
          const { injection } = await agent.previewBoot({ token_budget, truncate_at });
          for (const index of [0, 1, 2, 3]) expect(injection).toContain(`small ${index}`);
          expect(injection).toContain('CRITICAL: huge');
        }
      }
    });

    it('Texts without spaces are chosen alike', async () => {
      await store([
        ...many(80, (index) => ({
          type: 'episodic',
          content: `${'朝会議報告予定確認資料作成'.slice(index % 7)}${index}番の打ち合わせをした。特に問題はなかった。`,
          importance: 0.1,
          occurred_at: at(index),
        })),
        ...many(60, (index) => ({
          content: `倉庫${index}の棚は${'青赤黒白緑紫'[index % 6]}色で、鍵は${index * 7}番の箱にある。`,
        })),
        ...many(1, () => ({
          content: '重要：顧客データは必ず欧州内に保管すること。',
          importance: 1,
          occurred_at: at(300),
        })),
        ...many(1, () => ({
          type: 'episodic',
          content: '障害：決済が三時間止まった。',
          importance: 1,
          occurred_at: at(160),
        })),
      ]);
      for (const budget of [600, 1500]) {
        const injection = await of(budget);
        expect(injection).toContain('顧客データは必ず欧州内');
        expect(injection).toContain('決済が三時間止まった');
      }
    });

    it('Where all is of the highest importance, each section keeps something', async () => {
      const types = ['working', 'episodic', 'semantic'] as const;
      await store([
        ...types.flatMap((type, place) =>
          many(60, (index) => ({
            type,
            content: `${type} ${words(index + place * 100)}.`,
            importance: 1,
            occurred_at: at(index),
          })),
        ),
        ...many(5, (index) => ({
          type: 'core',
          category: 'tools',
          content: `Tool ${words(index + 400)}.`,
          importance: 1,
        })),
      ]);
      for (const budget of [600, 1500, 4000]) {
        const injection = await of(budget);
        for (const title of ['How you operate', 'Working memory', 'Recent episodes', 'What you know']) {
          expect(injection).toContain(`## ${title}\n`);
        }
      }
    });
  });
}
