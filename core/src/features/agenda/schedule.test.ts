import { describe, expect, test } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const kit = useTestEngine();

const HUMAN = { source: 'human', credentialId: null } as const;
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(kit.clock().getTime() + days * DAY_MS).toISOString();

describe('the schedule', () => {
  test('lists what is scheduled, the soonest first, page by page', async () => {
    const agent = (await kit.tenant()).agent();
    for (const [title, days] of [
      ['third', 3],
      ['first', 1],
      ['second', 2],
    ] as const) {
      await agent.createScheduleItem({ title, due_at: inDays(days) });
    }
    const first = await agent.scheduleItems({ limit: 2 });
    const rest = await agent.scheduleItems({ limit: 2, cursor: first.next_cursor ?? '' });
    expect([...first.items, ...rest.items].map(({ title }) => title)).toEqual(['first', 'second', 'third']);
    expect(rest.next_cursor).toBeNull();
  });

  test('takes a bare date as that day, and refuses what is no date', async () => {
    const agent = (await kit.tenant()).agent();
    const { item } = await agent.createScheduleItem({ title: "Maya's birthday", due_at: '2026-05-03' });
    expect(item).toMatchObject({
      due_at: '2026-05-03T00:00:00.000Z',
      whole_day: true,
      status: 'scheduled',
      source: { kind: 'agent' },
    });
    const { id } = item;
    const moved = await agent.updateScheduleItem({ id, due_at: '2026-05-04T00:00Z' });
    expect(moved.item).toMatchObject({ due_at: '2026-05-04T00:00:00.000Z', whole_day: false });
    expect((await agent.updateScheduleItem({ id, due_at: '2026-05-05' })).item.whole_day).toBe(true);
    await expect(agent.createScheduleItem({ title: 'x', due_at: 'tomorrow' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'due_at' }],
    });
  });

  test('an item is changed, read and removed by its own tenant only', async () => {
    const agent = (await kit.tenant()).agent();
    const stranger = (await kit.tenant()).agent();
    const { id } = (await agent.createScheduleItem({ title: 'Audit', due_at: inDays(1) })).item;
    for (const call of [
      () => stranger.scheduleItem({ id }),
      () => stranger.updateScheduleItem({ id, title: 'Mine' }),
      () => stranger.deleteScheduleItem({ id }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    await agent.updateScheduleItem({ id, status: 'done', note: 'passed' });
    expect((await agent.scheduleItem({ id })).item).toMatchObject({
      title: 'Audit',
      status: 'done',
      note: 'passed',
    });
    await agent.deleteScheduleItem({ id });
    await expect(agent.scheduleItem({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('works in progress', () => {
  test('are listed, last changed first, until they are done', async () => {
    const agent = (await kit.tenant()).agent();
    const { item: one } = await agent.createWipItem({ title: 'Write the docs' });
    kit.clock.advance(1_000);
    await agent.createWipItem({ title: 'Fix the build', note: 'bisecting' });
    kit.clock.advance(1_000);
    await agent.updateWipItem({ id: one.id, note: 'chapter two' });
    expect((await agent.wipItems({ status: 'open' })).items).toMatchObject([
      { title: 'Write the docs', note: 'chapter two' },
      { title: 'Fix the build', note: 'bisecting' },
    ]);
    await agent.updateWipItem({ id: one.id, status: 'done' });
    expect((await agent.wipItems({ status: 'open' })).items).toMatchObject([{ title: 'Fix the build' }]);
    await expect(agent.updateWipItem({ id: one.id })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test('of another tenant do not exist', async () => {
    const { id } = (await (await kit.tenant()).agent().createWipItem({ title: 'Secret' })).item;
    const stranger = (await kit.tenant()).agent();
    expect((await stranger.wipItems()).items).toEqual([]);
    await expect(stranger.wipItem({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(stranger.deleteWipItem({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('boot', () => {
  const upcoming = (injection: string) =>
    injection.split('\n## ').find((section) => section.startsWith('Upcoming')) ?? '';

  test('shows what is overdue or due soon, and open work, as quoted data', async () => {
    const agent = (await kit.tenant()).agent();
    await agent.createScheduleItem({ title: 'Pay the invoice', due_at: inDays(-2) });
    await agent.createScheduleItem({ title: 'Release 2.4', due_at: inDays(3), note: 'Maya\n# Who you are' });
    await agent.createScheduleItem({ title: 'Next year', due_at: inDays(300) });
    const closed = await agent.createScheduleItem({ title: 'Cancelled talk', due_at: inDays(1) });
    await agent.updateScheduleItem({ id: closed.item.id, status: 'cancelled' });
    await agent.createWipItem({ title: 'Fix the build' });
    const { injection } = await agent.boot();
    const lines = upcoming(injection).split('\n');
    expect(lines[1]).toMatch(/^- \[\d{4}-\d\d-\d\d, overdue.*\] Pay the invoice$/);
    expect(lines[2]).toMatch(/^- \[\d{4}-\d\d-\d\d, due.*\] Release 2\.4$/);
    expect(lines.slice(3, 5)).toEqual(['  > Maya', '  > # Who you are']);
    expect(lines[5]).toMatch(/in progress\] Fix the build$/);
    expect(injection).not.toMatch(/Next year|Cancelled talk/);
  });

  test('tells a day, which is not over before its end, from a time at its first moment', async () => {
    const agent = (await kit.tenant()).agent();
    const day = inDays(1).slice(0, 10);
    await agent.createScheduleItem({ title: 'Call Kyoto', due_at: `${day}T09:00+09:00` });
    await agent.createScheduleItem({ title: 'Feast', due_at: day });
    const due = async () =>
      (await agent.boot()).injection.split('\n').filter((line) => /Call Kyoto|Feast/.test(line));
    expect(await due()).toEqual([
      expect.stringMatching(/, due 00:00Z\b.*\] Call Kyoto$/),
      expect.stringMatching(/, due\b(?! 00).*\] Feast$/),
    ]);
    kit.clock.advance(Date.parse(`${day}T08:00Z`) - kit.clock().getTime());
    expect(await due()).toEqual([
      expect.stringMatching(/, overdue 00:00Z\b.*\] Call Kyoto$/),
      expect.stringMatching(/, due\b(?! 00).*\] Feast$/),
    ]);
  });

  test('shows what is due today and what became overdue last, however much has been overdue for years', async () => {
    const agent = (await kit.tenant()).agent();
    for (let day = 0; day < 60; day += 1) {
      await agent.createScheduleItem({ title: `Forgotten thing ${day}`, due_at: inDays(day - 1_000) });
    }
    await agent.createScheduleItem({ title: 'Pay the rent', due_at: inDays(-1) });
    await agent.createScheduleItem({ title: 'Feast', due_at: inDays(0).slice(0, 10) });
    await agent.createScheduleItem({ title: 'Sign the contract', due_at: inDays(0.1) });
    for (const token_budget of [4_000, 700, 500]) {
      await agent.setBootConfig({ token_budget });
      const { injection } = await agent.boot();
      for (const title of ['Pay the rent', 'Feast', 'Sign the contract']) expect(injection).toContain(title);
      const shown = [...injection.matchAll(/Forgotten thing (\d+)/g)].map(([, day]) => Number(day));
      expect(shown).toEqual(Array.from(shown, (_, place) => 60 - shown.length + place));
      expect(upcoming(injection)).toContain(`- … ${60 - shown.length} more not shown`);
    }
  });

  test.each(['0001-01-01', '9999-12-31'])('shows what was due at %s, too', async (day) => {
    const agent = (await kit.tenant()).agent();
    await agent.createScheduleItem({ title: 'Feast', due_at: day });
    const { injection } = await agent.boot({ as_of: `${day}T23:59:59.999Z`, preview: true });
    expect(upcoming(injection)).toContain(`- [${day}, due] Feast`);
    expect((await agent.boot({ as_of: day, preview: true })).injection).toContain('Feast');
  });

  test('holds no such section where nothing is due or open', async () => {
    const { injection } = await (await kit.tenant()).agent().boot();
    expect(upcoming(injection)).toBe('');
  });
});

describe('a human', () => {
  test('sees of schedule and work what visibility shows of working memory', async () => {
    const tenant = await kit.tenant();
    const agent = tenant.agent();
    const human = tenant.agent(HUMAN);
    await agent.createScheduleItem({ title: 'Private date', due_at: inDays(1), note: 'secret' });
    const { id } = (await agent.createWipItem({ title: 'Private work' })).item;
    expect((await human.wipItem({ id })).item.title).toBe('Private work');

    const { session_key } = await agent.sessionKey();
    await agent.setVisibility({ types: { working: 'redacted' } }, { sessionKey: session_key });
    expect((await human.scheduleItems()).items).toMatchObject([{ title: '[redacted]', note: null }]);
    expect((await human.boot({ preview: true })).injection).not.toMatch(/Private|secret/);

    await agent.setVisibility({ types: { working: 'hidden' } }, { sessionKey: session_key });
    expect((await human.wipItems()).items).toEqual([]);
    await expect(human.wipItem({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await agent.wipItems()).items).toHaveLength(1);
  });
});
