import { run } from './program.ts';
import { createTerminal } from './terminal.ts';

const { argv, env, stdout, stderr } = process;
process.exitCode = await run(argv.slice(2), { env, terminal: createTerminal({ stdout, stderr, env }) });
