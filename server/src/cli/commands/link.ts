import { z } from 'zod';
import type { LinkOptions } from '../../accounts/local-owner.ts';
import { loadConfig } from '../../config/config.ts';
import { CliError, EXIT } from '../../control/cli-error.ts';
import { findService } from '../access/control.ts';
import { type CommandContext, defineCommand, option } from '../console/command.ts';

const linkSchema = z.object({ url: z.url() });

export default defineCommand({
  name: 'link',
  description: 'Print a link that signs the human in, on this machine, once, within 15 minutes',
  options: [
    option('--anywhere', 'Good on any machine, as where the service runs in a container or on a server'),
  ],
  examples: ['npx svc-memory link', 'docker exec <container> node server/bin/svc.js link --anywhere'],
  run: async (context, options: LinkOptions) => {
    context.terminal.out(await newSignInLink(context, options));
  },
});

/**
 * Asks the service that runs on the data folder for a one-time link.
 *
 * @throws CliError where none runs, or where a database server holds the memories.
 */
export async function newSignInLink({ env }: CommandContext, options: LinkOptions = {}): Promise<string> {
  const { databaseUrl, dataDir } = loadConfig(env);
  if (databaseUrl !== undefined) {
    throw new CliError('With SVC_DATABASE_URL there are no sign-in links.', {
      fix: 'People sign up and sign in at the address of the service (npx svc-memory open). An agent made by a command becomes theirs by `npx svc-memory tenants give`.',
      exitCode: EXIT.usage,
    });
  }
  const ask = await findService(dataDir);
  if (ask) return linkSchema.parse(await ask('link', options)).url;
  throw new CliError(`No service runs on ${dataDir}.`, {
    fix: 'Start it: npx svc-memory serve. It prints a link. If it runs elsewhere, set SVC_DATA_DIR to its data folder.',
  });
}
