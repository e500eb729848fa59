import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../kit/process.ts';
import { useService } from '../kit/service.ts';

const service = useService();

/** What the output of each example shows. */
const EXAMPLES: Readonly<Record<string, RegExp>> = {
  'ai-sdk/examples/two-conversations.ts': /# MEMORY INJECTION.*Our deploys are frozen on Fridays\./s,
  'ai-sdk/examples/long-conversation.ts': /# MEMORY RECOVERY.*ops\/rollback\.sh/s,
  'ai-sdk/examples/files.ts': /4\tMaya approves exceptions\..*recall finds files\/orchard\/deploys\.md/s,
  'langchain/examples/files.ts': /1\tThe apples are picked in October\..*\t\/memories\/orchard\/harvest\.md/s,
  'langchain/examples/two-threads.ts': /# MEMORY INJECTION.*user: Our deploys are frozen on Fridays\./s,
  'langchain/examples/store.ts': /^drink: /,
};
/** What the examples share. */
const SHARED = ['ai-sdk/examples/any-model.ts'];

test.each(Object.entries(EXAMPLES))('the example %s runs as it stands there', async (file, shown) => {
  const { key, get } = await service.signUp();
  // The first boot of a process takes long: on a busy machine an adapter would not wait for it.
  await get('/memories/boot');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', join(ROOT, 'adapters', file)],
    { cwd: ROOT, env: { ...process.env, SVC_API_URL: service.url, SVC_API_KEY: key } },
  );
  expect(stdout).toMatch(shown);
});

test('every example is run', () => {
  const found = ['ai-sdk', 'langchain'].flatMap((adapter) =>
    readdirSync(join(ROOT, `adapters/${adapter}/examples`)).map((name) => `${adapter}/examples/${name}`),
  );
  expect(found.sort()).toEqual([...Object.keys(EXAMPLES), ...SHARED].sort());
});
