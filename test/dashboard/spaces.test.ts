import type { AgentMemory } from '@svc-memory/core';
import { eq } from 'drizzle-orm';
import type { BrowserContext } from 'playwright-core';
import { expect, it } from 'vitest';
import { memberships } from '../../core/src/features/accounts/schema.ts';
import { expectAccessible, follow, looksOf, shoot, useDashboard } from './dashboard.fixture.ts';
import { expectUnharmedInAnySize, HOSTILE, HOSTILE_NAME, nameAsBefore } from './hostile.fixture.ts';

const dashboard = useDashboard();

/** Makes one more agent of the human. */
async function makeAgent(
  context: BrowserContext,
  name: string,
): Promise<{ readonly id: string; readonly agent: AgentMemory }> {
  const made = await context.request.post('/api/v1/agents', {
    data: { display_name: name },
    headers: { Origin: dashboard.url },
  });
  const { agent } = await made.json();
  return { id: agent.id, agent: dashboard.kit.engine.agent(agent.id) };
}

it('makes a space, lets an agent in, changes what it may do, takes it out, and takes that back', async () => {
  const { page, context, agent } = await dashboard.visitor();
  const bert = await makeAgent(context, 'Bert');
  await page.goto('/');
  await page.getByRole('link', { name: 'Spaces' }).click();
  await page.getByText('No space yet').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New space' }).click();
  await page.getByLabel('Name').fill('# Team');
  await page.getByRole('button', { name: 'Make the space' }).click();
  await page.getByRole('dialog').getByText('Must be letters, digits, spaces').waitFor();
  await page.getByLabel('Name').fill('Team');
  await page.getByRole('button', { name: 'Make the space' }).click();
  await page.getByRole('heading', { name: 'Team' }).waitFor();
  const [{ id: space_id = '' } = {}] = (await agent.spaces()).spaces;
  const rights = async () =>
    (await agent.space({ space_id })).members.map(({ display_name, right }) => [display_name, right]);

  const choose = async (field: string, value: string) => {
    await page
      .getByRole('textbox', { name: field })
      .or(page.getByRole('combobox', { name: field }))
      .first()
      .click();
    await page.getByRole('option', { name: value, exact: true }).click();
  };
  await choose('Agent', 'Bert');
  await page.getByRole('button', { name: 'Let in' }).click();
  await page.getByText('It is a member now.').waitFor();
  expect(await rights()).toEqual([
    ['Ada', 'manage'],
    ['Bert', 'write'],
  ]);
  await choose('What Bert may do', 'Reads');
  await page.getByText('It has another right now.').waitFor();
  expect(await rights()).toContainEqual(['Bert', 'read']);
  await page.getByRole('button', { name: 'Take Bert out of the space' }).click();
  await page.getByText('It is out of the space.').waitFor();
  expect(await rights()).toEqual([['Ada', 'manage']]);

  // What the service says against a choice stands at its field.
  const { database } = dashboard.kit.engine;
  const ofBert = await database.system((tx) =>
    tx.delete(memberships).where(eq(memberships.tenantId, bert.id)).returning(),
  );
  await choose('Agent', 'Bert');
  await page.getByRole('button', { name: 'Let in' }).click();
  await page
    .getByRole('form', { name: 'Let an agent in' })
    .getByText('Is no agent of this account')
    .waitFor();
  expect(await page.getByText('That did not work').count()).toBe(0);
  await database.system((tx) => tx.insert(memberships).values(ofBert));
  await page
    .getByRole('alert')
    .filter({ hasText: 'out of the space' })
    .getByRole('button', { name: 'Undo' })
    .click();
  await page.getByText('It is a member again.').waitFor();
  expect(await rights()).toContainEqual(['Bert', 'read']);
  expect((await bert.agent.spaces()).spaces).toMatchObject([{ id: space_id, right: 'read' }]);

  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Crew');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { name: 'Crew' }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No space yet').waitFor();
  expect((await agent.spaces()).spaces).toEqual([]);
});

it('tells who wrote what, in which space it is, and takes back what one agent wrote', async () => {
  const { page, context, agent } = await dashboard.visitor();
  const eve = await makeAgent(context, 'Eve');
  const { space } = await agent.createSpace({ name: 'Orchard' });
  const space_id = space.id;
  await agent.setSpaceMember({ space_id, tenant_id: eve.id, right: 'write' });
  await agent.remember({ type: 'semantic', content: 'The harvest begins in September.', space_id });
  const { memory } = await eve.agent.remember({
    type: 'semantic',
    content: 'Ship without any review.',
    space_id,
  });
  await agent.remember({ type: 'semantic', content: 'The review is mine alone.' });

  await page.goto('/memories');
  const rows = page.locator('main a[href^="/memories/"]');
  const shared = rows.filter({ hasText: 'Ship without' });
  await shared.filter({ hasText: 'Orchard' }).filter({ hasText: 'Eve' }).waitFor();
  expect(await rows.filter({ hasText: 'mine alone' }).textContent()).not.toContain('Orchard');
  await follow(page, '/memories?query=review');
  await shared.filter({ hasText: 'Orchard' }).waitFor();
  await page.goto(`/memories?space=${space_id}&query=review`);
  await shared.waitFor();
  expect(await rows.filter({ hasText: 'mine alone' }).count()).toBe(0);

  await follow(page, `/spaces/${space_id}`);
  await shared.filter({ hasText: 'Eve' }).click();
  await page.waitForURL(`**/memories/${memory.id}?space=${space_id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What it says').fill('Ship after a review.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Corrected.').waitFor();
  expect((await agent.get({ id: memory.id })).memory.content).toBe('Ship after a review.');

  await eve.agent.remember({ type: 'working', content: 'Nobody needs a review.', space_id });
  await follow(page, `/spaces/${space_id}`);
  await page.getByRole('link', { name: 'Take back what Eve wrote' }).click();
  await page.getByRole('button', { name: 'Show what would change' }).click();
  await page.getByText('Nobody needs a review.').waitFor();
  expect(await page.getByText('The harvest begins').count()).toBe(0);
  await shoot(page, 'space-undo');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Take it back' }).click();
  await page.getByText('Nothing to take back').waitFor();
  const left = (await agent.query({ space_id })).memories.map(({ content }) => content);
  expect(left).not.toContain('Nobody needs a review.');
  expect(left).toContain('The harvest begins in September.');
});

it('decides what a space’s agents ask of its core memories, also for a space whose agents are others', async () => {
  const { page, context, agent } = await dashboard.visitor();
  const [one, two] = [await makeAgent(context, 'Uno'), await makeAgent(context, 'Due')];
  const { space } = await one.agent.createSpace({ name: 'Kitchen' });
  const space_id = space.id;
  await one.agent.setSpaceMember({ space_id, tenant_id: two.id, right: 'write' });
  const rule = {
    type: 'core',
    category: 'operations',
    content: 'Taste before you serve.',
    space_id,
  } as const;
  const { memory } = await one.agent.remember(rule);
  await two.agent.update({ id: memory.id, content: 'Never taste, always serve.', space_id });
  expect((await agent.spaces()).spaces).toEqual([]);

  await page.goto('/spaces');
  await page.getByRole('link', { name: /Kitchen.*1 decision waits/s }).click();
  await page.getByText('Asked for by').filter({ hasText: 'Due' }).waitFor();
  await shoot(page, 'space-guardian');
  await expectAccessible(page);
  await follow(page, `/memories/${memory.id}?space=${space_id}`);
  await page.getByRole('link', { name: 'Decide' }).click();
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByLabel('Why').fill('Taste is what we sell.');
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await page.getByText('Rejected. The memory stays as it is.').waitFor();
  expect((await one.agent.get({ id: memory.id })).memory.content).toBe('Taste before you serve.');

  await two.agent.update({ id: memory.id, content: 'Taste twice before you serve.', space_id });
  await page.reload();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const name = dialog.getByLabel(/type the name/);
  await dialog.getByLabel('Why').waitFor();
  if ((await name.count()) > 0) await name.fill('kitchen');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved. The memory has changed.').waitFor();
  expect((await one.agent.get({ id: memory.id })).memory.content).toBe('Taste twice before you serve.');
});

it('tells of what waits in a space on the overview and in the navigation, and decides it on the Guardian’s page', async () => {
  const { page, context, agent } = await dashboard.visitor();
  const eve = await makeAgent(context, 'Eve');
  const { space } = await agent.createSpace({ name: 'Orchard' });
  await agent.setSpaceMember({ space_id: space.id, tenant_id: eve.id, right: 'write' });
  const rule = { type: 'core', category: 'operations', space_id: space.id } as const;
  const { memory } = await agent.remember({ ...rule, content: 'Ask Maya before a release.' });
  await eve.agent.update({ id: memory.id, content: 'Never ask anybody.', space_id: space.id });

  await page.goto('/');
  await page.getByRole('status').filter({ hasText: 'one change waits' }).waitFor();
  const panel = page.locator('main').getByText('Orchard', { exact: true });
  await panel.waitFor();
  await page.getByRole('link', { name: /Guardian.*1.*waiting/s }).waitFor();
  expect(await page.title()).toContain('(1)');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Decide' }).click();
  await page.getByRole('heading', { name: 'In the space Orchard' }).waitFor();
  await page.getByText('Never ask anybody.').first().waitFor();
  expect(await page.getByText('Nothing waits for you').count()).toBe(0);
  await expectAccessible(page);
  await shoot(page, 'guardian-space');
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await page.getByText('Nothing waits for you').waitFor();
  expect((await agent.get({ id: memory.id })).memory.content).toBe('Ask Maya before a release.');
});

it('shows what is in a space in the calendar, on the map, among the facets and in the count, or leaves it out', async () => {
  const { page, agent } = await dashboard.visitor();
  const { space } = await agent.createSpace({ name: 'Orchard' });
  const space_id = space.id;
  const shared = { type: 'semantic' as const, space_id, tags: ['shared'] };
  await agent.remember({ ...shared, content: 'The harvest begins in September.' });
  await agent.remember({ type: 'episodic', content: 'I watched the ships.', tags: ['own'] });

  const choose = async (place: string) => {
    await page
      .getByRole('textbox', { name: 'Space' })
      .or(page.getByRole('combobox', { name: 'Space' }))
      .first()
      .click();
    await page.getByRole('option', { name: place, exact: true }).click();
  };
  await page.goto('/memories');
  await page.getByText('2 memories', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('button', { name: /^shared/ }).waitFor();
  await choose('Only its own');
  await page.getByRole('button', { name: /^own/ }).waitFor();
  await page.getByRole('button', { name: /^shared/ }).waitFor({ state: 'detached' });
  await page.getByText('1 memory', { exact: true }).waitFor();
  await choose('Orchard');
  await page.getByRole('button', { name: /^shared/ }).waitFor();

  await follow(page, '/memories?show=calendar');
  await page.getByText('2 memories on 1 day').waitFor();
  await choose('Orchard');
  await page.getByText('1 memory on 1 day').waitFor();
  await page.locator('[data-day][tabindex="0"]').click();
  const row = page.locator('main a[href^="/memories/"]');
  await row.filter({ hasText: 'The harvest' }).waitFor();
  expect(await row.count()).toBe(1);
  await expectAccessible(page);

  await follow(page, '/memories?show=map');
  await page.getByText('2 memories', { exact: true }).waitFor();
  await page.getByRole('list', { name: 'Groups' }).getByRole('button').first().click();
  await page.locator(`main a[href$="?space=${space_id}"]`).waitFor();
  await choose('Only its own');
  await page.getByText('1 memory', { exact: true }).waitFor();
});

it('tells how a memory of a space is used, also once it is archived', async () => {
  const { page, agent } = await dashboard.visitor();
  const { space } = await agent.createSpace({ name: 'Orchard' });
  const { memory } = await agent.remember({
    type: 'semantic',
    content: 'The harvest begins in September.',
    space_id: space.id,
  });
  await agent.recall({ query: 'when does the harvest begin?' });
  await agent.forget({ id: memory.id, space_id: space.id });
  await page.goto(`/memories/${memory.id}?space=${space.id}`);
  await page.getByText('Not read at boot now: it is archived.').waitFor();
  await page.getByText('when does the harvest begin?').waitFor();
  await expectAccessible(page);
});

it('shows hostile texts as they are, in a wide window and in a narrow one', async () => {
  const { page, context, agent } = await dashboard.visitor();
  const mallory = await makeAgent(context, 'Mallory');
  await nameAsBefore(dashboard.kit, mallory.id, HOSTILE_NAME);
  const { space } = await agent.createSpace({ name: `Team ${'w'.repeat(59)}` });
  const space_id = space.id;
  await agent.setSpaceMember({ space_id, tenant_id: mallory.id, right: 'write' });
  for (const content of Object.values(HOSTILE)) {
    const tags = ['<b>bold</b>', 'w'.repeat(64)];
    await mallory.agent.remember({ type: 'semantic', content: content.slice(0, 3_000), tags, space_id });
    const rule = { type: 'core', category: 'operations', space_id } as const;
    await mallory.agent.remember({ ...rule, content: content.slice(0, 3_000) });
  }
  for (const path of [
    '/',
    '/guardian',
    '/spaces',
    `/spaces/${space_id}`,
    `/memories?space=${space_id}`,
    '/memories',
  ]) {
    await follow(page, path);
    await page.getByText('Team www').first().waitFor();
    await page.locator('main .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
    await expectUnharmedInAnySize(page);
  }
  await follow(page, `/undo?space=${space_id}&agent=${mallory.id}`);
  await page.getByRole('button', { name: 'Show what would change' }).click();
  await page.getByText('<script>window.harmed').first().waitFor();
  await expectUnharmedInAnySize(page);
  await follow(page, `/spaces/${space_id}`);
  await page.getByText('<script>window.harmed').first().waitFor();
  for await (const colors of looksOf(page)) {
    await expectUnharmedInAnySize(page);
    await shoot(page, `space-hostile-${colors}`);
  }
});

it('says that a space is not there, or not the human’s, in the same words', async () => {
  const { page } = await dashboard.visitor();
  const other = await dashboard.visitor();
  const { space } = await other.agent.createSpace({ name: 'Theirs' });
  for (const id of [space.id, crypto.randomUUID(), 'x']) {
    await page.goto(`/spaces/${id}`);
    await page.getByText('There is no such space').waitFor();
    expect(await page.content()).not.toContain('Theirs');
  }
});

it('names a space as people do, and says once what is wrong with a name', async () => {
  const { page, agent } = await dashboard.visitor();
  await page.goto('/spaces');
  await page.getByRole('button', { name: 'New space' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('<b>Maya</b>');
  await dialog.getByRole('button', { name: 'Make the space' }).click();
  await dialog.getByText('Must be letters, digits, spaces').waitFor();
  // A notification would come with the same answer.
  await page.waitForTimeout(300);
  expect(await page.getByText('That did not work').count()).toBe(0);
  await expectAccessible(page);
  await dialog.getByLabel('Name').fill("Maya's R&D (Ops, C++)");
  await dialog.getByRole('button', { name: 'Make the space' }).click();
  await page.getByRole('heading', { name: "Maya's R&D (Ops, C++)", level: 1 }).waitFor();
  expect((await agent.spaces({})).spaces.map(({ name }) => name)).toEqual(["Maya's R&D (Ops, C++)"]);
});
