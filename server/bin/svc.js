#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

// By default the heap may grow to several times of what is in use before it is swept: the process would hold twice the
// memory, and gain nothing that shows under load.
setFlagsFromString('--heap-growing-percent=60');

const main = new URL('../dist/cli/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write(
    'svc: the service is not built yet.\n     Run `npm run build` in its folder, then try again.\n',
  );
  process.exitCode = 1;
}
