import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** Runs the dashboard in a real browser. Needs Chromium and a built dashboard. */
const browser = mergeConfig(
  base,
  defineConfig({
    test: {
      root: fileURLToPath(new URL('../..', import.meta.url)),
      maxWorkers: 3,
      // A browser on a busy machine may miss a moment. `.ci/run` lists what passes only the second time.
      retry: 1,
      expect: { poll: { timeout: 20_000 } },
    },
  }),
);
browser.test = { ...browser.test, include: ['test/dashboard/**/*.test.ts'], exclude: [] };

export default browser;
