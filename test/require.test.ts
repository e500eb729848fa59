import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from './kit/process.ts';

test('CommonJS programs require the engine and the service, whose modules await nothing while they are loaded', async () => {
  const program = `for (const name of ['@svc-memory/core', '@svc-memory/core/testing', 'svc-memory']) require(name); console.log('loaded')`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { cwd: ROOT });
  expect(stdout).toBe('loaded\n');
});
