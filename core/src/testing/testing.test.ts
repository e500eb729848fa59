import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('a program that has closed its test engine ends', async () => {
  const program = `
    import { startTestEngine } from '@svc-memory/core/testing';
    const kit = await startTestEngine();
    await kit.tenant();
    await kit.close();
    console.log('closed');`;
  // Without the variables of this test run.
  const args = ['--input-type=module', '-e', program];
  const ended = await promisify(execFile)(process.execPath, args, { env: {}, timeout: 90_000 });
  expect(ended.stdout).toBe('closed\n');
}, 100_000);
