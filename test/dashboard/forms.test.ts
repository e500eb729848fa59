import type { AgentMemory } from '@svc-memory/core';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tellAda } from './ada.fixture.ts';
import { useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();
/** How soon a window is back after the service is. */
const BACK_MS = 15_000;

interface Form {
  readonly name: string;
  /** Opens the form, and writes into it. */
  fill(page: Page, agent: AgentMemory): Promise<void>;
  /** Reads what was written. */
  typed(page: Page): Promise<unknown>;
  readonly holds: unknown;
  readonly send: (page: Page) => Promise<void>;
  readonly sent: string;
}

const within = (page: Page) => page.getByRole('dialog');

const FORMS: readonly Form[] = [
  {
    name: 'the correction of a memory',
    fill: async (page, agent) => {
      const { memory } = await agent.remember({ type: 'semantic', content: 'The gate is green.' });
      await page.goto(`/memories/${memory.id}`);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('What it says').fill('The gate is red.');
      await page.getByLabel('Key').fill('gate');
    },
    typed: async (page) => [
      await page.getByLabel('What it says').inputValue(),
      await page.getByLabel('Key').inputValue(),
    ],
    holds: ['The gate is red.', 'gate'],
    send: (page) => page.getByRole('button', { name: 'Save' }).click(),
    sent: 'Corrected.',
  },
  {
    name: 'a date',
    fill: async (page) => {
      await page.goto('/agenda?add=date');
      await within(page).getByLabel('What').fill('Renew the certificate');
      await within(page).getByLabel('Note').fill('Ask Maya');
    },
    typed: async (page) => [
      await within(page).getByLabel('What').inputValue(),
      await within(page).getByLabel('Note').inputValue(),
    ],
    holds: ['Renew the certificate', 'Ask Maya'],
    send: (page) => page.getByRole('button', { name: 'Schedule it' }).click(),
    sent: 'It is scheduled.',
  },
  {
    name: 'the reason of a decision',
    fill: async (page, agent) => {
      await tellAda(agent);
      const [{ id } = { id: '' }] = (await agent.query({ type: 'core', category: 'soul' })).memories;
      await agent.update({ id, content: 'I ship fast. Speed is all that counts.' });
      await page.goto('/guardian');
      await page.getByRole('button', { name: 'Reject' }).first().click();
      await within(page).getByLabel('Why').fill('That is not who you are.');
    },
    typed: (page) => within(page).getByLabel('Why').inputValue(),
    holds: 'That is not who you are.',
    send: (page) => within(page).getByRole('button', { name: 'Reject' }).click(),
    sent: 'Rejected. The memory stays as it is.',
  },
  {
    name: 'the name of the agent',
    fill: async (page) => {
      await page.goto('/settings');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada Lovelace');
    },
    typed: (page) => page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(),
    holds: 'Ada Lovelace',
    send: (page) => page.getByRole('button', { name: 'Rename' }).click(),
    sent: 'Renamed.',
  },
  {
    name: 'a new key',
    fill: async (page) => {
      await page.goto('/settings?tab=keys');
      await page.getByRole('button', { name: 'New key' }).click();
      await within(page).getByLabel('Name').fill('laptop');
    },
    typed: (page) => within(page).getByLabel('Name').inputValue(),
    holds: 'laptop',
    send: (page) => within(page).getByRole('button', { name: 'Make the key' }).click(),
    sent: 'I have kept it',
  },
  {
    name: 'a new space',
    fill: async (page) => {
      await page.goto('/spaces');
      await page.getByRole('button', { name: 'New space' }).click();
      await within(page).getByLabel('Name').fill('Orchard team');
    },
    typed: (page) => within(page).getByLabel('Name').inputValue(),
    holds: 'Orchard team',
    send: (page) => within(page).getByRole('button', { name: /space/ }).click(),
    sent: 'Orchard team',
  },
];

it.each(FORMS)('$name that is half written survives a restart of the service', async (form) => {
  const { page, agent } = await dashboard.visitor();
  await form.fill(page, agent);
  expect(await form.typed(page)).toEqual(form.holds);
  await dashboard.restart(async () => {
    await page.getByText('The service cannot be reached').first().waitFor();
    await form.send(page);
    await page.getByText('No answer came').first().waitFor();
    expect(await form.typed(page)).toEqual(form.holds);
  });
  // The notice of the page.
  await page
    .getByText('The service cannot be reached', { exact: true })
    .first()
    .waitFor({ state: 'detached', timeout: BACK_MS });
  expect(await form.typed(page)).toEqual(form.holds);
  await form.send(page);
  await page.getByText(form.sent).first().waitFor();
});
