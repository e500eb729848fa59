import { defineConfig } from 'vitest/config';

/** Tests run on the sources: packages resolve each other through the `source` export condition. */
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['{core,hooks,server,mcp}/src/**/*.test.ts', 'adapters/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    // `npm run test:full` runs these.
    exclude: ['**/node_modules/**', '**/dist/**', 'test/{full,dashboard}/**', '**/*.heavy.test.ts'],
    // It has an export condition "source" of its own, with TypeScript behind it, and these import it.
    server: {
      deps: {
        inline: [
          'eventsource',
          'eventsource-parser',
          '@modelcontextprotocol/client',
          '@ai-sdk/provider-utils',
          '@ai-sdk/gateway',
          'ai',
          'ai6',
        ],
      },
    },
    // Only what hangs is to end by it: beside the other parts of the full suite the longest tests take a minute.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    // On a busy machine real processes may miss a moment. `.ci/run` lists what passes only the second time.
    retry: process.env.CI ? 1 : 0,
    // One more than two cores have: some tests mostly wait.
    maxWorkers: 3,
    // Most of what a test makes is garbage at once: of a larger young generation less is copied, which takes a twentieth off.
    execArgv: ['--max-semi-space-size=32'],
    // Loading the sources and the embedded database anew for each file would take longer than the tests. So no test may
    // leave anything behind in a module.
    isolate: false,
    // The next run, and the next part of the full suite, need not compile again what did not change.
    experimental: { fsModuleCache: true },
  },
});
