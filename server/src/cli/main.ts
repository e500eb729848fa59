import { createTerminal } from './console/terminal.ts';
import { run } from './program.ts';

const { argv, env, stdout, stderr } = process;
process.exitCode = await run(argv.slice(2), { env, terminal: createTerminal({ stdout, stderr, env }) });
