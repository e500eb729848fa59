import { existsSync } from 'node:fs';

/** What to do where there is none. */
export const CHROMIUM_FIX = `The dashboard is tested in it:
  .ci/install                           installs it on Debian
or set SVC_TEST_CHROMIUM to the program of a Chromium or Chrome you have.`;

/** Nothing is drawn on a screen, and the browser looks for nothing by itself. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
] as const;

/**
 * The browser that the dashboard is tested in; undefined where there is none.
 *
 * The headless shell comes first: it is the same Chromium without windows, and takes a quarter less time.
 */
export function findChromium(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return [
    env.SVC_TEST_CHROMIUM,
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find((path) => path !== undefined && existsSync(path));
}

/**
 * The same, for those who cannot do without.
 *
 * @throws Error that says how to get one.
 */
export function chromiumPath(): string {
  const found = findChromium(process.env);
  if (found === undefined) throw new Error(`Chromium is missing. ${CHROMIUM_FIX}`);
  return found;
}
