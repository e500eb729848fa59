import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from '../kit/process.ts';
import { runInTurn } from '../kit/programs.ts';
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
const NAMES = Object.keys(EXAMPLES);

let outputs: string[];
beforeAll(async () => {
  const programs = NAMES.map(async (name) => ({
    file: join(ROOT, 'adapters', name),
    env: { SVC_API_URL: service.url, SVC_API_KEY: (await service.signUp()).key },
  }));
  outputs = await runInTurn(await Promise.all(programs), { cwd: ROOT, args: ['--import', 'tsx'] });
});

test.each(NAMES)('the example %s runs as it stands there', (name) => {
  expect(outputs[NAMES.indexOf(name)]).toMatch(EXAMPLES[name] ?? /^$/);
});

test('every example is run', () => {
  const found = ['ai-sdk', 'langchain'].flatMap((adapter) =>
    readdirSync(join(ROOT, `adapters/${adapter}/examples`)).map((name) => `${adapter}/examples/${name}`),
  );
  expect(found.sort()).toEqual([...NAMES, ...SHARED].sort());
});
