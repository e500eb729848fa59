import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** The heavier tests: they need what `npm run test:full` asks for. */
const heavy = mergeConfig(
  base,
  defineConfig({
    test: {
      root: fileURLToPath(new URL('../..', import.meta.url)),
      testTimeout: 180_000,
      maxWorkers: 2,
      hookTimeout: 120_000,
    },
  }),
);
heavy.test = { ...heavy.test, include: ['test/full/**/*.test.ts', 'test/faults/**/*.test.ts'], exclude: [] };

export default heavy;
