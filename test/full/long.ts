/** Tests that have a long form, with more random cases or more probes: the part `heavy` runs them in it, on Postgres. */
export const LONG = [
  'core/src/**/boot.test.ts',
  'core/src/**/canaries.test.ts',
  'core/src/**/embedding-models.test.ts',
  'core/src/**/explain.test.ts',
  'core/src/**/flooding.test.ts',
  'core/src/**/histories.test.ts',
  'core/src/**/known-at.test.ts',
  'core/src/**/large-tenants.test.ts',
  'core/src/features/recall/hostile.test.ts',
  'core/src/**/ways-in.test.ts',
  'server/src/access/withheld.test.ts',
  'test/adapters/langchain/store.test.ts',
  'test/callers/matrix.test.ts',
  'test/conformance/fuzz-routes.test.ts',
  'test/conformance/model.test.ts',
  'test/hooks/claude-code-session.test.ts',
];
