import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadOptional } from './optional-packages.ts';

const { peerDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const missing = (name: string, code = 'ERR_MODULE_NOT_FOUND') =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /app/wallet.js`), { code });

test.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])(
  'a missing package (%s) is told with what installs all of its feature',
  async (code) => {
    const loading = loadOptional({ feature: 'Redis', packages: ['bull', 'ioredis'] }, () =>
      Promise.reject(missing('ioredis', code)),
    );
    await expect(loading).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: `Redis needs packages that are not installed. Install them beside svc-memory: npm install bull@${peerDependencies.bull} ioredis@${peerDependencies.ioredis}`,
    });
  },
);

test('another failure is passed on', async () => {
  const failure = missing('lodash');
  await expect(
    loadOptional({ feature: 'Redis', packages: ['bull'] }, () => Promise.reject(failure)),
  ).rejects.toBe(failure);
});

test('what is there is loaded', async () => {
  expect(await loadOptional({ feature: 'Redis', packages: ['bull'] }, async () => 1)).toBe(1);
});
