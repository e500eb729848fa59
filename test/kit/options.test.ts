import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { lengthOf, namesOf, wholeNumber } from './options.ts';

it.each([
  [() => wholeNumber('memories', '1e3'), '--memories must be a whole number from 1 on, not "1e3"'],
  [() => wholeNumber('memories', '0'), '--memories must be a whole number from 1 on, not "0"'],
  [() => lengthOf('seconds', 'for', '0'), '--for must be a number of seconds above 0, not "0"'],
  [
    () => namesOf('only', ['nothing'], ['boot', 'recall']),
    '--only: there is no "nothing", only boot, recall',
  ],
])('%s is refused, and said how it should be', (read, message) => {
  expect(read).toThrow(message);
});

it.each([
  [
    ['faults/main.ts', '--only', 'cuts'],
    'faults: --only: no fault has "cuts" in its name; --list names them',
  ],
  [['full.ts', '--only', 'cuts'], 'test:full: --only: there is no "cuts", only default, heavy, '],
  [['eval/main.ts', 'chats.json', '--half', 'third'], 'eval: --half: there is no "third", only even, odd'],
])('%j starts nothing', ([program = '', ...args], message) => {
  const path = fileURLToPath(new URL(`../${program}`, import.meta.url));
  const node = ['--conditions=source', '--import', 'tsx', path, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, node, { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining(message),
  });
});
