import { COMMANDS } from './commands.ts';
import { createTerminal } from './console/terminal.ts';
import { traceSources } from './console/trace-sources.ts';
import { run } from './program.ts';

traceSources();
const { argv, env, stdout, stderr } = process;
const terminal = createTerminal({ stdout, stderr, env });
process.exitCode = await run(argv.slice(2), COMMANDS, { env, terminal });
