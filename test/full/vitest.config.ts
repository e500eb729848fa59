import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';
import { LONG } from './long.ts';

/** The heavier tests, and the long form of others: they need what `npm run test:full` asks for. */
const heavy = mergeConfig(
  base,
  defineConfig({
    test: {
      root: fileURLToPath(new URL('../..', import.meta.url)),
      testTimeout: 600_000,
      maxWorkers: 2,
      hookTimeout: 300_000,
    },
  }),
);
heavy.test = {
  ...heavy.test,
  include: ['test/full/**/*.test.ts', '**/*.heavy.test.ts', ...LONG],
  exclude: ['**/node_modules/**', '**/dist/**'],
};

export default heavy;
