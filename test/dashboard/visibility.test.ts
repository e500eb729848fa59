import type { BrowserContext } from 'playwright-core';
import { expect, it } from 'vitest';
import { follow, useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();
const CANARY = 'xyzzycanary';

/** Collects everything that the window receives from now on. */
function listen(context: BrowserContext): () => Promise<string> {
  const bodies: Promise<string>[] = [];
  context.on('response', (response) => {
    // The live stream never ends. Its own tests show that its events hold ids only.
    if (response.url().includes('/api/') && !response.url().endsWith('/events/stream')) {
      bodies.push(response.text().catch(() => ''));
    }
  });
  return async () => (await Promise.all(bodies)).join('\n');
}

it.each(['redacted', 'hidden'] as const)('no answer to the browser holds what is %s', async (level) => {
  const { page, context, agent } = await dashboard.visitor({ own: true });
  const secret = (what: string) => `My ${CANARY} ${what}`;
  const kept = await agent.rememberBatch({
    memories: [
      { type: 'core', category: 'identity', content: secret('identity'), tags: [`${CANARY}-tag`] },
      { type: 'core', category: 'soul', content: secret('soul') },
      { type: 'working', content: secret('plan'), key: `${CANARY}-key` },
      { type: 'episodic', content: secret('diary') },
      { type: 'semantic', content: secret('knowledge') },
      { type: 'semantic', content: secret('to be archived') },
    ],
  });
  const ids = kept.memories.map(({ id }) => id);
  await agent.update({ id: ids[2] ?? '', content: secret('other plan') });
  await agent.update({ id: ids[1] ?? '', content: secret('other soul') });
  await agent.forget({ id: ids[5] ?? '' });
  await agent.boot();
  const { session_key: sessionKey } = await agent.sessionKey();
  await agent.setVisibility({ default: level }, { sessionKey });
  const heard = listen(context);

  await page.goto('/');
  await page.getByText('Stability').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  for (const path of [
    '/memories',
    `/memories?query=${CANARY}`,
    `/memories?tag=${CANARY}-tag`,
    '/memories?type=core&category=soul',
    '/memories?show=calendar',
    '/memories?show=map',
    '/memories?show=archived',
    '/guardian',
    '/boot',
    '/import-export',
    '/distress',
    '/settings',
    '/visibility',
    ...ids.map((id) => `/memories/${id}`),
  ]) {
    await follow(page, path);
    await page.locator('main h1').waitFor();
    // All queries of the page have started by now. They have ended when the skeletons are gone.
    await page.locator('main .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  }
  await agent.remember({ type: 'episodic', content: secret('newest') });
  await follow(page, '/');
  await page.getByText('Stability').waitFor();
  const everything = await heard();
  expect(everything).toContain('"success":true');
  // What the human typed, and the address, are not answers of the service.
  expect(everything).not.toContain(CANARY);
  expect(await page.content()).not.toContain(CANARY);
});
