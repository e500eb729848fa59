import { describe, expect, it } from 'vitest';
import type { Door } from './door.ts';

const DEFAULTS = { token_budget: 4000, episodic_limit: 20, truncate_at: 600 };

/** The settings of the boot injection. */
export function describeBootSettings(door: Door): void {
  describe('boot settings', () => {
    it('Boot settings have defaults, a partial change keeps the others, and each agent has its own', async () => {
      const [agent, other] = [await door.newAgent(), await door.newAgent()];
      expect(await agent.bootConfig()).toEqual({ boot_config: DEFAULTS });
      await agent.setBootConfig({ token_budget: 1000 });
      await agent.setBootConfig({ truncate_at: 100 });
      const changed = { boot_config: { token_budget: 1000, episodic_limit: 20, truncate_at: 100 } };
      expect(await agent.setBootConfig({})).toEqual(changed);
      expect(await agent.bootConfig()).toEqual(changed);
      expect((await other.bootConfig()).boot_config).toEqual(DEFAULTS);
    });

    it('Changes of boot settings at the same time all hold', async () => {
      const agent = await door.newAgent();
      const settings = { token_budget: 1000, episodic_limit: 3, truncate_at: 100 };
      await Promise.all(
        Object.entries(settings).map(([name, value]) => agent.setBootConfig({ [name]: value })),
      );
      expect((await agent.bootConfig()).boot_config).toEqual(settings);
    });

    it('Boot settings can be tried without being changed, and tell what each section takes', async () => {
      const agent = await door.newAgent();
      await agent.rememberBatch({
        memories: [
          { type: 'core', category: 'identity', content: 'My name is Ada.' },
          ...Array.from({ length: 40 }, (_, index) => ({
            type: 'episodic' as const,
            content: `Day ${index}: ${'walked along the river and wrote it down '.repeat(6)}${index}`,
          })),
        ],
      });
      const small = await agent.previewBoot({ token_budget: 600, episodic_limit: 5 });
      expect(small.boot_config).toEqual({ token_budget: 600, episodic_limit: 5, truncate_at: 600 });
      expect(small.estimated_tokens).toBeLessThanOrEqual(600);
      const large = await agent.previewBoot({ token_budget: 20_000, episodic_limit: 30 });
      const episodes = (answer: typeof small) => answer.sections.find(({ name }) => name === 'episodic');
      expect(episodes(large)).toMatchObject({ title: 'Recent episodes', shown: 30, omitted: 10 });
      expect(episodes(small)?.shown).toBeLessThan(6);
      for (const { sections, estimated_tokens } of [small, large]) {
        const spent = sections.reduce((sum, section) => sum + section.estimated_tokens, 0);
        expect(spent).toBeGreaterThan(estimated_tokens / 2);
        expect(spent).toBeLessThanOrEqual(estimated_tokens + sections.length);
      }
      expect(large.injection).not.toMatch(/svs_/);
      expect((await agent.bootConfig()).boot_config.token_budget).toBe(4000);
      expect((await agent.boot({ preview: true })).injection).toBe((await agent.previewBoot({})).injection);
    });

    it('Boot settings govern the injection: budget, number of episodes, length of entries', async () => {
      const agent = await door.newAgent();
      await agent.rememberBatch({
        memories: [
          { type: 'core', category: 'identity', content: 'My name is Ada.' },
          { type: 'core', category: 'soul', content: 'I keep my promises.' },
          { type: 'working', content: 'long text '.repeat(60) },
          { type: 'episodic', content: 'Second thing.', occurred_at: '2026-02-02T10:00:00Z' },
          { type: 'episodic', content: 'First thing.', occurred_at: '2026-02-01T10:00:00Z' },
        ],
      });
      await agent.setBootConfig({ episodic_limit: 1, truncate_at: 80 });
      const { injection } = await agent.boot();
      expect(injection).toContain('- … 1 earlier not shown\n- [2026-02-02 10:00] Second thing.');
      expect(injection).toMatch(/long text… \[cut, 5\d\d more characters/);
      await agent.setBootConfig({ token_budget: 256, episodic_limit: 0 });
      const small = await agent.boot();
      expect(small.estimated_tokens).toBeLessThanOrEqual(256);
      expect(small.injection).toContain('I keep my promises.');
      expect(small.injection).toContain('My name is Ada.');
      expect(small.injection).toMatch(/svs_[0-9A-Za-z]{36}/);
      expect(small.injection).not.toContain('Second thing.');
    });
  });
}
