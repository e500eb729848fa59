import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeFileAtomically } from '@svc-memory/hooks';
import { loadConfig } from '../../config/config.ts';
import { CliError } from '../../control/cli-error.ts';
import { findService } from '../access/control.ts';
import { readCredentials } from '../access/credentials.ts';
import { type CommandContext, defineCommand } from '../console/command.ts';
import { newSignInLink } from './link.ts';

/** Page in the data folder that leads a browser to the sign-in link. */
const OPEN_FILE = 'open.html';

export default defineCommand({
  name: 'open',
  description: 'Open the dashboard in the browser, signed in where the service runs on this data folder',
  examples: [
    'npx svc-memory open',
    'SVC_API_URL=https://memory.example.com SVC_API_KEY=… npx svc-memory open',
  ],
  run: openDashboard,
});

async function openDashboard(context: CommandContext): Promise<void> {
  const address = await chooseAddress(context);
  if (await startBrowser(context, address.opened))
    context.terminal.out('The dashboard opens in the browser.');
  else {
    context.terminal.err('svc: No browser could be started. Open this address in one:');
    context.terminal.out(address.shown);
  }
}

/** What the browser is given, and what a person is shown where there is none. */
interface Address {
  readonly opened: string;
  readonly shown: string;
}

async function chooseAddress(context: CommandContext): Promise<Address> {
  const { apiKey, apiUrl, databaseUrl, dataDir } = loadConfig(context.env);
  const isElsewhere = apiKey !== undefined || apiUrl !== undefined || databaseUrl !== undefined;
  if (!isElsewhere && (await findService(dataDir))) {
    const link = await newSignInLink(context);
    return { opened: leadTo(dataDir, link), shown: link };
  }
  const url = isElsewhere ? (apiUrl ?? readCredentials(context.env)?.apiUrl) : undefined;
  if (url !== undefined) {
    // The dashboard is not at the address for MCP clients.
    const page = url.replace(/\/mcp\/?$/, '');
    return { opened: page, shown: page };
  }
  throw new CliError(`No service runs on ${dataDir}.`, {
    fix: 'Start it: npx svc-memory serve. If it runs elsewhere, set SVC_API_URL to its address.',
  });
}

/**
 * Writes a page that leads to the link, and answers its address: what a browser is started with can be read by every user of
 * the machine, and this page by its owner alone.
 */
function leadTo(dataDir: string, link: string): string {
  const file = join(dataDir, OPEN_FILE);
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${link}"><title>Agent Memory Service</title>`;
  writeFileAtomically(file, page, { durable: false });
  return pathToFileURL(file).href;
}

// A program that runs for so long has found a browser.
const OPENED_AFTER_MS = 2_000;

/** Command lines that open an address in the user's browser, by platform. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const OTHER_OPENER = ['xdg-open'];

/** Answers whether a program took the address. */
async function startBrowser({ env }: CommandContext, address: string): Promise<boolean> {
  const [program = '', ...args] = OPENERS[process.platform] ?? OTHER_OPENER;
  const child = spawn(program, [...args, address], { env, stdio: 'ignore', detached: true });
  // Some openers end at once, others with the browser.
  const signal = AbortSignal.timeout(OPENED_AFTER_MS);
  return (
    once(child, 'exit', { signal })
      .then(
        ([code]) => code === 0,
        () => signal.aborted,
      )
      // Until here nothing but the child keeps this process from ending, as the signal's timer does not.
      .finally(() => child.unref())
  );
}
