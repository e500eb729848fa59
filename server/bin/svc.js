#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// By default the heap may grow to several times of what is in use before it is swept: the process would hold twice the
// memory, and gain nothing that shows under load.
setFlagsFromString('--heap-growing-percent=60');
// The embedded database's code runs as it was compiled first until a function has run for about a quarter of a second, in bytes
// of code. By default V8 optimizes hundreds of functions during a start, which is a third of its processor time; so it optimizes
// those that calls use, within some hundred of these.
setFlagsFromString('--wasm-tiering-budget=250000000');
// It is compiled beside the start of the service. On two cores more threads for it would only take turns with the start.
if (availableParallelism() <= 2) setFlagsFromString('--wasm-num-compilation-tasks=1');

// Keeps what was compiled for the next start, from Node 22 on: in a folder that only its owner can write to, as what lies in
// it is run.
module.enableCompileCache?.(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'svc-memory'));

const program = process.argv[2] === 'serve' ? 'serve/serve-main.js' : 'main.js';
const main = new URL(`../bundle/${program}`, import.meta.url);
const { node } = process.versions;
if (node.localeCompare('20.19', 'en', { numeric: true }) < 0) {
  // It could not even read the program, which would end with a syntax error.
  fail(`Node ${node} is too old.`, 'Install Node 20.19 or newer, then try again.');
} else if (existsSync(main)) {
  await import(main.href);
} else {
  fail('the service is not built yet.', 'Run `npm run build` in its folder, then try again.');
}

function fail(what, fix) {
  process.stderr.write(`svc: ${what}\n     ${fix}\n`);
  process.exitCode = 1;
}
