#!/usr/bin/env node
// Without a command `svc-memory` starts the service; `svc` shows its commands.
if (process.argv.length === 2) process.argv.push('serve');
await import('./svc.js');
