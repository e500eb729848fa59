import { expect, it } from 'vitest';
import { expectAccessible, follow, shoot, useDashboard } from './dashboard.fixture.ts';
import {
  expectUnharmed,
  expectUnharmedInAnySize,
  HOSTILE,
  HOSTILE_NAME,
  nameAsBefore,
} from './hostile.fixture.ts';

const dashboard = useDashboard();

it('keeps hostile memories as they are: text, in a wide window and in a narrow one', async () => {
  const { page, agent } = await dashboard.visitor();
  const ids: string[] = [];
  for (const [key, content] of Object.entries(HOSTILE)) {
    const type = ids.length % 2 === 0 ? ('episodic' as const) : ('working' as const);
    const tags = ['<b>bold</b>', 'drow 👩‍💻', 'w'.repeat(64)];
    const { memory } = await agent.remember({ type, content, tags, key: `${key}"><script>` });
    await agent.update({
      id: memory.id,
      content: `${content.slice(0, 30_000)} <script>window.harmed = 10</script>`,
    });
    ids.push(memory.id);
  }
  await agent.remember({ type: 'core', category: 'identity', content: HOSTILE.turned });
  await agent.distress({ context: HOSTILE.script + HOSTILE.word.slice(0, 3_000) });
  await agent.compaction({ phase: 'pre', session_id: HOSTILE.script.slice(0, 200) });
  await page.goto('/');
  await page.getByText('Your agent asks for help').waitFor();
  await page.getByText('U+202E').first().waitFor();
  await expectUnharmedInAnySize(page);
  await shoot(page, 'hostile-overview');
  await expectAccessible(page);

  await follow(page, '/memories');
  await page.getByText('<script>window.harmed').first().waitFor();
  await page.getByText('U+202E').first().waitFor();
  await expectUnharmedInAnySize(page);
  await shoot(page, 'hostile-memories');
  await follow(page, `/memories?query=${encodeURIComponent(HOSTILE.script)}`);
  await page.locator('main a[href^="/memories/"]').first().waitFor();
  await expectUnharmedInAnySize(page);
  await follow(page, '/memories?show=map');
  const canvas = page.locator('canvas').first();
  await canvas.waitFor();
  const box = await canvas.boundingBox();
  const { places } = await agent.memoryMap();
  for (const { x, y } of places) {
    const { width = 0, height = 0 } = box ?? {};
    await canvas.hover({
      position: { x: ((x + 1.04) / 2.08) * width, y: (1 - (y + 1.04) / 2.08) * height },
      force: true,
    });
  }
  await expectUnharmedInAnySize(page);
  for (const id of ids) {
    await follow(page, `/memories/${id}`);
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await expectUnharmedInAnySize(page);
  }
  await follow(page, `/memories/${ids[3]}`);
  await page.getByText('Show all').first().click();
  await expectUnharmedInAnySize(page);
  await shoot(page, 'hostile-memory');
  await expectAccessible(page);
});

it('keeps a hostile name in its place', async () => {
  const { page, context } = await dashboard.visitor({ own: true });
  const made = await context.request.post('/api/v1/agents', {
    data: { display_name: 'Mallory' },
    headers: { Origin: dashboard.url },
  });
  const { agent } = await made.json();
  await nameAsBefore(dashboard.kit, agent.id, HOSTILE_NAME);
  await page.addInitScript(`localStorage.setItem('svc-agent', '${agent.id}')`);
  await page.goto('/');
  await page.getByText('Connect your agent').waitFor();
  await expectUnharmed(page);
  await shoot(page, 'hostile-name');
});

it('lets no script of a page run that is not its own file', async () => {
  const { page } = await dashboard.visitor({ own: true });
  const breaches: string[] = [];
  await page.exposeFunction('noteBreach', (directive: string) => breaches.push(directive));
  await page.goto('/reset-password');
  await page.evaluate(`
    addEventListener('securitypolicyviolation', (event) => noteBreach(event.effectiveDirective));
    const script = document.createElement('script');
    script.textContent = 'window.harmed = 1';
    document.body.append(script);
    const handler = document.createElement('p');
    handler.setAttribute('onclick', 'window.harmed = 2');
    document.body.append(handler);
    handler.click();
    const image = new Image();
    image.src = 'https://elsewhere.example/pixel.png';
  `);
  await expect.poll(() => breaches.toSorted()).toEqual(['img-src', 'script-src-attr', 'script-src-elem']);
  expect(await page.evaluate(() => 'harmed' in globalThis)).toBe(false);
  dashboard.forgive(/Content Security Policy|^foreign: https:\/\/elsewhere\.example\//);
});
