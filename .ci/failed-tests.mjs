// node .ci/failed-tests.mjs FILE...: a line for each failed test in what vitest's JSON reporter wrote, a line for each
// file that failed outside any test, a line that begins with `flaky` for each test that passed only the second time, and
// last `N passed, N failed`. Exits with 1 where something failed.
import { existsSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

let [passed, failed] = [0, 0];

for (const file of process.argv.slice(2).filter((name) => existsSync(name))) {
  const { numPassedTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
  passed += numPassedTests;
  for (const { name, status, message, assertionResults } of testResults) {
    const broken = assertionResults.filter((test) => test.status === 'failed');
    for (const { fullName, failureMessages } of broken) fail(file, fullName, failureMessages.join(' '));
    if (status === 'failed' && broken.length === 0) fail(file, relative('.', name), message);
    const flaky = assertionResults.filter(
      (test) => test.status === 'passed' && test.failureMessages.length > 0,
    );
    for (const { fullName, failureMessages } of flaky)
      say(`flaky   ${basename(file, '.json')}: ${fullName}`, failureMessages[0]);
  }
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

function fail(file, title, message) {
  failed++;
  say(`${basename(file, '.json')}: ${title}`, message);
}

function say(title, message) {
  process.stdout.write(`${title}: ${message.replaceAll(/\s+/g, ' ').slice(0, 400)}\n`);
}
