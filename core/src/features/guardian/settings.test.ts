import { describe, expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { servicesOf } from './background.fixture.ts';
import { expireCooling } from './expire.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEY = { source: 'agent' as const, credentialId: '01a1fd19-0000-7000-8000-00000000000a' };
const HUMAN = { source: 'human' as const, credentialId: '01a1fd19-0000-7000-8000-00000000000b' };
const CALM = 'I am Ada, calm and exact.';
const EMPHATIC = 'I am Ada, **calm** and **exact**';

describe('Guardian settings', () => {
  const kit = useTestEngine();
  const meet = async () => {
    const { agent: as } = await kit.tenant();
    return { agent: as(KEY), human: as(HUMAN) };
  };

  it('have the defaults, and a partial change keeps the others', async () => {
    const { agent, human } = await meet();
    const defaults = {
      categories: ['soul', 'identity'],
      cooling_hours: 24,
      drift_limit: 0.5,
      unattended: 'harmless',
    };
    expect(await agent.guardianSettings()).toEqual({ settings: defaults });
    await human.setGuardianSettings({ categories: ['relationship'] });
    await human.setGuardianSettings({ cooling_hours: 1.5 });
    expect(await agent.guardianSettings()).toEqual({
      settings: { ...defaults, categories: ['soul', 'identity', 'relationship'], cooling_hours: 1.5 },
    });
    await human.setGuardianSettings({ categories: [] });
    expect((await agent.guardianSettings()).settings.categories).toEqual(['soul', 'identity']);
  });

  it.each([
    { cooling_hours: 0.9 },
    { cooling_hours: 721 },
    { drift_limit: -0.1 },
    { drift_limit: 1.1 },
    { categories: ['nonsense'] },
    { unattended: 'everything' },
    { unknown: 1 },
  ])('refuse %j', async (wrong) => {
    const { human } = await meet();
    await expect(human.setGuardianSettings(wrong as never)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('protect further categories: changes and removal wait, and the human may let both happen', async () => {
    const { agent, human } = await meet();
    const { memory } = await agent.remember({ type: 'core', category: 'tools', content: 'Use vim' });
    await human.setGuardianSettings({ categories: ['tools'] });
    const changed = await agent.update({ id: memory.id, content: 'Use helix' });
    expect(changed.outcome).toBe('queued');
    await human.approveChange({ id: changed.entry?.id ?? '' });

    const removal = await agent.forget({ id: memory.id });
    expect(removal).toMatchObject({
      outcome: 'queued',
      memory: { id: memory.id },
      entry: { proposed: null, drift: 1, status: 'cooling', current: { content: 'Use helix' } },
    });
    kit.clock.advance(DAY_MS);
    await expireCooling(servicesOf(kit));
    const id = removal.entry?.id ?? '';
    expect((await agent.guardianEntry({ id })).entry.status).toBe('waiting');
    expect((await agent.get({ id: memory.id })).memory.content).toBe('Use helix');
    await human.approveChange({ id });
    await expect(agent.get({ id: memory.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await agent.archived()).memories.map((row) => row.id)).toContain(memory.id);
  });

  it('that protect a category again measure changes against what its memories say by then', async () => {
    const { agent, human } = await meet();
    const { memory } = await human.remember({ type: 'core', category: 'tools', content: CALM });
    const statusOf = async (content: string) => {
      const { entry } = await agent.update({ id: memory.id, content });
      kit.clock.advance(DAY_MS);
      await expireCooling(servicesOf(kit));
      return (await agent.guardianEntry({ id: entry?.id ?? '' })).entry.status;
    };
    await human.setGuardianSettings({ categories: ['tools'] });
    expect(await statusOf(EMPHATIC)).toBe('applied');
    await human.setGuardianSettings({ categories: [] });
    await agent.update({ id: memory.id, content: 'Use vim' });
    await human.setGuardianSettings({ categories: ['tools'] });
    expect(await statusOf('Use **vim**')).toBe('applied');
  });

  it('never touch what is pending: it cools as long as was said', async () => {
    const { agent, human } = await meet();
    await human.setGuardianSettings({ categories: ['tools'], cooling_hours: 48 });
    const { memory } = await agent.remember({ type: 'core', category: 'tools', content: CALM });
    const { entry } = await agent.update({ id: memory.id, content: EMPHATIC });
    await human.setGuardianSettings({ categories: [], cooling_hours: 1, drift_limit: 0 });
    expect((await agent.guardianEntry({ id: entry?.id ?? '' })).entry).toEqual(entry);
    await expect(agent.update({ id: memory.id, content: 'free?' })).rejects.toMatchObject({
      code: 'GUARDIAN_PROTECTED',
    });
    kit.clock.advance(48 * HOUR_MS - 1);
    await expireCooling(servicesOf(kit));
    expect((await agent.guardianEntry({ id: entry?.id ?? '' })).entry.status).toBe('cooling');
    kit.clock.advance(1);
    await expireCooling(servicesOf(kit));
    expect((await agent.guardianEntry({ id: entry?.id ?? '' })).entry.status).toBe('applied');
    expect((await agent.update({ id: memory.id, content: 'free' })).outcome).toBe('updated');
  });
});
