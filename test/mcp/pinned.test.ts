import { describeTools } from '@svc-memory/core/tools';
import { expect, test } from 'vitest';
import { INSTRUCTIONS } from '../../mcp/src/create-server.ts';

/**
 * What hosts show to models is pinned: a changed description can make a model act otherwise, and is how a poisoned
 * package would attack (threats 10). After a wanted change: `npx vitest run test/mcp/pinned -u`, and review the file.
 */
test('titles, descriptions, annotations and arguments of the tools are those reviewed', async () => {
  const listed = describeTools().map(({ output_schema: _, ...tool }) => tool);
  await expect(
    `${JSON.stringify({ instructions: INSTRUCTIONS, tools: listed }, null, 2)}\n`,
  ).toMatchFileSnapshot('./pinned-tools.snap');
});

test('the list of tools stays small enough for a context', () => {
  const listed = describeTools().map(({ name, description, input_schema }) => ({
    name,
    description,
    input_schema,
  }));
  expect(JSON.stringify(listed).length).toBeLessThan(24_000);
});
