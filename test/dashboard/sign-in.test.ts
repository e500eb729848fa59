import { describe, expect, it } from 'vitest';
import { createLocalSignIn, type LocalSignIn } from '../../server/src/accounts/local-owner.ts';
import type { Mail } from '../../server/src/accounts/mail.ts';
import { expectAccessible, PASSWORD, shoot, useDashboard } from './dashboard.fixture.ts';

const mails: Mail[] = [];
let links: LocalSignIn;
const dashboard = useDashboard(() => ({
  mailer: { delivers: false, send: async (mail) => void mails.push(mail) },
  localSignIn: {
    newLink: () => links.newLink(),
    goodAt: (token) => links.goodAt(token),
    redeem: (token) => links.redeem(token),
  },
}));

it('says that it loads while the code of a page is on its way', async () => {
  const page = await dashboard.window({ own: true });
  let arrive: (() => void) | undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\/assets\/sign-in-page/, async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto('/sign-in', { waitUntil: 'commit' });
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  await expectAccessible(page);
  arrive?.();
  await page.getByLabel('E-mail').waitFor();
});

it('signs a human up, shows the key once, and lets them in', async () => {
  const page = await dashboard.window();
  await page.goto('/');
  await page.waitForURL('**/sign-in');
  await page.getByLabel('E-mail').waitFor();
  await shoot(page, 'sign-in');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Your name').fill('Grace');
  await page.getByLabel('E-mail').fill('grace@example.com');
  await page.locator('input[type=password]').fill('short');
  await shoot(page, 'sign-up');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.locator('input:invalid').waitFor();
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  const key = await page.getByText(/^svc_[0-9A-Za-z]{36}$/).textContent();
  await shoot(page, 'new-key');
  await expectAccessible(page);
  expect((await dashboard.kit.engine.apiKeys.authenticate(key ?? '')).scope).toBe('full');
  await page.getByRole('button', { name: 'Meet my agent' }).click();
  await page.getByText('Connect your agent').waitFor();
});

it('signs in, back to where the human wanted to go, and out', async () => {
  const { email } = await dashboard.visitor();
  const page = await dashboard.window({ colors: 'dark' });
  await page.goto('/memories');
  await page.waitForURL('**/sign-in?next=%2Fmemories');
  await page.getByLabel('E-mail').fill(email);
  await page.locator('input[type=password]').fill('wrong password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: 'password' }).waitFor();
  await shoot(page, 'sign-in-dark');
  await expectAccessible(page);
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/memories');
  await page.getByText(email).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');
  await page.goto('/');
  await page.waitForURL('**/sign-in');
});

it('keeps passwords out of the markup, also after an answer has drawn the form again', async () => {
  const { email, page: inside } = await dashboard.visitor();
  const page = await dashboard.window();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(email);
  await page.locator('input[type=password]').fill('a wrong one, typed');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: 'password' }).waitFor();
  expect(await page.content()).not.toContain('a wrong one, typed');
  expect(await page.locator('input[type=password]').inputValue()).toBe('a wrong one, typed');

  await inside.goto('/settings?tab=account');
  const [current, next] = [inside.getByLabel('Current password'), inside.getByLabel('New password')];
  await current.fill(PASSWORD);
  await next.fill('another horse battery');
  expect(await inside.content()).not.toContain('horse battery');
  await inside.getByRole('button', { name: 'Change it' }).click();
  await inside.getByText('Your password is changed').waitFor();
  await expect.poll(async () => [await current.inputValue(), await next.inputValue()]).toEqual(['', '']);
});

it('goes nowhere else after the sign-in, whatever the address says', async () => {
  const { email } = await dashboard.visitor();
  const elsewhere = [
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'https://evil.example',
    'javascript:alert(1)',
  ];
  const page = await dashboard.window();
  for (const next of elsewhere) {
    await page.context().clearCookies();
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await page.getByLabel('E-mail').fill(email);
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Connect your agent').waitFor();
    expect(page.url()).toBe(`${dashboard.url}/`);
  }
});

it('lets a human choose a new password by the link of a mail', async () => {
  const { email } = await dashboard.visitor();
  const page = await dashboard.window();
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('Look into your inbox').waitFor();
  const letter = () => mails.find(({ to, subject }) => to === email && subject === 'Choose a new password');
  await expect.poll(letter).toBeDefined();
  const address = /http\S+/.exec(letter()?.text ?? '')?.[0] ?? '';
  await page.goto(address);
  await page.locator('input[type=password]').fill('a new and better one');
  expect(page.url()).toBe(`${dashboard.url}/reset-password`);
  await shoot(page, 'reset-password');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Change my password' }).click();
  await page.getByText('Your password is changed').waitFor();
  await page.getByRole('link', { name: 'Go to the sign-in' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.locator('input[type=password]').fill('a new and better one');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Connect your agent').waitFor();
});

it('lets the owner in by the one-time link, and says so when it is used up', async () => {
  await dashboard.kit.tenant();
  links = createLocalSignIn(() => dashboard.kit.engine.accounts.ensureLocalOwner('Owner'));
  const link = links.newLink();
  const page = await dashboard.window();
  await page.goto(link);
  await page.getByText('Connect your agent').waitFor();
  const other = await dashboard.window();
  await other.goto(link);
  await other.getByText('This sign-in link was used before').waitFor();
  await other.getByText('Open the sign-in link that its start printed').waitFor();
  await shoot(other, 'sign-in-local');
  await expectAccessible(other);
  // Who is signed in already stays so.
  await page.goto(link);
  await page.getByText('You are signed in already').waitFor();
  await page.getByText('This link was used before or has expired.').waitFor();
  expect(new URL(page.url()).search).toBe('');
  await page.getByText('Connect your agent').waitFor();
});

describe('where nobody has a password', () => {
  let ownLinks: LocalSignIn;
  const own = useDashboard(() => ({
    localSignIn: {
      newLink: () => ownLinks.newLink(),
      goodAt: (token) => ownLinks.goodAt(token),
      redeem: (token) => ownLinks.redeem(token),
    },
    settings: { allowSignup: false },
  }));

  it('leads with the link and its command, until the owner has set one', async () => {
    await own.kit.tenant();
    ownLinks = createLocalSignIn(() => own.kit.engine.accounts.ensureLocalOwner('Owner'));
    const page = await own.window();
    await page.goto('/sign-in');
    await page.getByText('npx svc-memory link', { exact: true }).waitFor();
    expect(await page.locator('input').count()).toBe(0);
    await shoot(page, 'sign-in-no-password');
    await expectAccessible(page);
    await page.goto(ownLinks.newLink());
    await page.getByText('Connect your agent').waitFor();
    await page.goto('/settings?tab=account');
    await page.getByLabel('New password').fill(PASSWORD);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Set a password' }).click();
    await page.getByLabel('Current password').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    await page.reload();
    await page.getByLabel('E-mail').fill('owner@localhost');
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Connect your agent').waitFor();
  });
});
