import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** Runs the dashboard in a real browser. Needs Chromium and a built dashboard. */
const browser = mergeConfig(
  base,
  defineConfig({
    test: {
      root: fileURLToPath(new URL('../..', import.meta.url)),
      maxWorkers: 2,
    },
  }),
);
browser.test = { ...browser.test, include: ['test/dashboard/**/*.test.ts'], exclude: [] };

export default browser;
