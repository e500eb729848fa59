import { preloadPglite } from '@svc-memory/core/preload';
import { traceSources } from './console/trace-sources.ts';

// The same as main.ts for the command `serve` alone, so that a start need not read the other commands. The embedded
// database is compiled in other threads while this one reads the rest.
const { argv, env, stdout, stderr } = process;
if (!env.SVC_DATABASE_URL) preloadPglite();
traceSources();
const [{ createTerminal }, { run }] = await Promise.all([
  import('./console/terminal.ts'),
  import('./program.ts'),
]);
const serve = () => import('./commands/serve/serve.ts');
const terminal = createTerminal({ stdout, stderr, env });
process.exitCode = await run(argv.slice(2), { serve }, { env, terminal });
