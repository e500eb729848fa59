#!/usr/bin/env node
import module from 'node:module';

// Where Node has it (22.1 and later), the second start compiles nothing.
module.enableCompileCache?.();

import('../bundle/main.js').then(
  ({ main }) => main(),
  (error) => {
    const unbuilt = error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes('main.js');
    const reason = unbuilt ? 'it is not built yet; run `npm run build` in its repository' : error.message;
    process.stderr.write(`svc-mcp: cannot start: ${reason}\n`);
    process.exitCode = 1;
  },
);
