import type { TestEngine } from '@svc-memory/core/testing';
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { tenants } from '../../core/src/kernel/tenancy/schema.ts';
import { endOfAnimations, SIZES } from './dashboard.fixture.ts';

/** Texts that try to run as code, to overflow their place, or to reverse the text around them. */
export const HOSTILE = {
  script:
    '<script>window.harmed = 1</script><img src=x onerror="window.harmed = 2"><svg onload="window.harmed=3">',
  link: '[click me](javascript:window.harmed=4) <a href="javascript:window.harmed=5">here</a> javascript:window.harmed=6',
  style:
    '</p></style><style>body{display:none}</style><iframe srcdoc="<script>parent.harmed=7</script>"></iframe>',
  word: 'a'.repeat(30_000),
  turned: 'Transfer to \u202Egnp.exe \u2066hidden\u2069 \u202Eall the rest',
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(200),
  stacked: `Z${'\u0300\u0301\u0302\u0303'.repeat(200)}algo`,
  control: 'Bell\u0007, escape\u001B[31m, backspace\u0008\u0008\u0008, line\u2028separator',
  markup: '{harm|text} {{constructor.constructor("window.harmed=8")()}} <%= window.harmed=9 %> %c%s',
};

/** A name of an agent that turns the text around it, and would be an element. */
export const HOSTILE_NAME = `\u202E<img src=x onerror=window.harmed=1>${'n'.repeat(60)}`;

/** Gives an agent a name that the service takes no more. It still shows those that were stored when it did. */
export async function nameAsBefore(
  { engine }: TestEngine,
  tenantId: string,
  displayName: string,
): Promise<void> {
  await engine.database.system(async (tx) => {
    await tx.update(tenants).set({ displayName }).where(eq(tenants.tenantId, tenantId));
  });
}

/** What of the page's own words is cut off. A name, which stands in a `bdi`, may end with an ellipsis. */
const CUT_OFF = `[...document.querySelectorAll('body *:not(input, textarea, svg, svg *)')]
  .filter((element) => element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1)
  .filter((element) => element.checkVisibility() && element.innerText?.trim())
  .filter((element) => {
    const { overflowX, textOverflow } = getComputedStyle(element);
    if (!['hidden', 'clip'].includes(overflowX)) return false;
    return textOverflow !== 'ellipsis' || !(element.matches('bdi') || element.querySelector('bdi'));
  })
  .map((element) => element.outerHTML.slice(0, 200))`;

/** Buttons, and links that look so, whose label is not in their middle: there the half of it may be cut off. */
const OFF_CENTRE = `[...document.querySelectorAll('.mantine-Button-root')]
  .filter((button) => button.checkVisibility() && button.getBoundingClientRect().height > 1)
  .filter((button) => {
    const [outer, inner] = [button, button.querySelector('.mantine-Button-label')]
      .map((element) => element.getBoundingClientRect());
    return Math.abs(outer.top + outer.bottom - inner.top - inner.bottom) > 4;
  })
  .map((button) => button.outerHTML.slice(0, 200))`;

/** Fails if a text ran as code, became an element, widened the page, or is cut off. */
export async function expectUnharmed(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'harmed' in globalThis)).toBe(false);
  const [content = 0, window = 0] = (await page.evaluate(
    '[document.documentElement.scrollWidth, innerWidth]',
  )) as number[];
  expect(content, `${page.url()} scrolls sideways`).toBeLessThanOrEqual(window);
  expect(await page.evaluate(CUT_OFF), page.url()).toEqual([]);
  expect(await page.evaluate(OFF_CENTRE), page.url()).toEqual([]);
  expect(await page.locator('main a[href^="javascript:"], main iframe, main img, main script').count()).toBe(
    0,
  );
}

/** The same in a wide window and in a narrow one, without loading the page again; it is wide afterwards. */
export async function expectUnharmedInAnySize(page: Page): Promise<void> {
  for (const size of ['small', 'desktop'] as const) {
    await page.setViewportSize(SIZES[size]);
    await endOfAnimations(page);
    await expectUnharmed(page);
  }
}
