// node .ci/failed-tests.mjs FILE...: a line for each failed test in what vitest's JSON reporter wrote, a line for each
// file that failed outside any test, and last `N passed, N failed`. Exits with 1 where something failed.
import { existsSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

let [passed, failed] = [0, 0];

for (const file of process.argv.slice(2).filter((name) => existsSync(name))) {
  const { numPassedTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
  passed += numPassedTests;
  for (const { name, status, message, assertionResults } of testResults) {
    const broken = assertionResults.filter((test) => test.status === 'failed');
    for (const { fullName, failureMessages } of broken) say(file, fullName, failureMessages.join(' '));
    if (status === 'failed' && broken.length === 0) say(file, relative('.', name), message);
  }
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

function say(file, title, message) {
  failed++;
  process.stdout.write(
    `${basename(file, '.json')}: ${title}: ${message.replaceAll(/\s+/g, ' ').slice(0, 400)}\n`,
  );
}
