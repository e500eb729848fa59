import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestEngine } from '@svc-memory/core/testing';
import { chromium } from 'playwright-core';
import { createApp } from '../../server/src/app/app.ts';
import { startServer } from '../../server/src/app/listen.ts';
import { findDashboard } from '../../server/src/dashboard/assets.ts';
import { createLogger } from '../../server/src/logs/logger.ts';
import { CHROMIUM_ARGS, chromiumPath } from '../full/chromium.ts';
import { liveThrough, tellAda } from './ada.fixture.ts';

// Makes the picture of the README, dashboard/docs/overview.webp: npm run picture, after npm run build.
const FOLDER = join(import.meta.dirname, '../../dashboard/docs');
const QUALITY = 80;

const dashboard = findDashboard();
if (!dashboard) throw new Error('The dashboard is not built: npm run build');
const time = { shift: 0 };
const kit = await startTestEngine({ clock: () => new Date(Date.now() + time.shift) });
const server = await startServer({
  app: createApp({
    engine: kit.engine,
    logger: createLogger({ level: 'silent' }),
    dashboard,
    settings: { allowSignup: true, rateLimitPerMinute: 0 },
  }),
  host: '127.0.0.1',
  port: 0,
  graceMs: 100,
});
const browser = await chromium.launch({ executablePath: chromiumPath(), args: [...CHROMIUM_ARGS] });
try {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1400, height: 1190 },
    deviceScaleFactor: 1.5,
    reducedMotion: 'reduce',
  });
  const post = async (path: string, data: object) => {
    const answer = await context.request.post(`/api/v1${path}`, { data, headers: { Origin: server.url } });
    return answer.json();
  };
  await post('/auth/signup', {
    email: 'maya@example.com',
    password: 'correct horse battery',
    display_name: 'Maya',
  });
  const { agent: made } = await post('/agents', { display_name: 'Ada' });
  const ada = kit.engine.agent(made.id);
  await liveThrough(ada, (shift) => {
    time.shift = shift;
  });
  await tellAda(ada);
  const { memories } = await ada.query({ type: 'core', category: 'relationship' });
  const { memories: souls } = await ada.query({ type: 'core', category: 'soul' });
  await ada.update({ id: memories[0]?.id ?? '', importance: 0.8 });
  await ada.update({
    id: souls[0]?.id ?? '',
    content: 'I would rather ship late than ship something nobody wants to be woken up for.',
  });

  await context.addInitScript(`localStorage.setItem('svc-agent', '${made.id}')`);
  await mkdir(FOLDER, { recursive: true });
  const page = await context.newPage();
  await page.goto('/');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('list', { name: 'Memories by type' }).waitFor();
  await page.locator('main .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready');
  const chromiumOnly = await context.newCDPSession(page);
  const { data } = await chromiumOnly.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await writeFile(join(FOLDER, 'overview.webp'), Buffer.from(data, 'base64'));
} finally {
  await browser.close();
  await server.close();
  await kit.close();
}
