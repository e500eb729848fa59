import { scrub, scrubTenants } from '../../control/actions/scrub.ts';
import { operate } from '../access/operate.ts';
import { type CommandContext, defineCommand, option } from '../console/command.ts';
import { startBar } from '../console/progress-bar.ts';
import { counted } from '../console/terminal.ts';

export default defineCommand({
  name: 'scrub',
  description:
    'Take secrets out of everything that is stored, history included; also beside the running service',
  options: [
    option('--dry-run', 'Only count what would be taken out'),
    option('--tenant <id>', 'Only this tenant'),
  ],
  examples: ['npx svc-memory scrub --dry-run', 'npx svc-memory scrub'],
  run: scrubStored,
});

interface ScrubOptions {
  readonly dryRun?: boolean;
  readonly tenant?: string;
}

/** Removes secrets from the stored data of all tenants or one, and prints how many of each kind there were. */
async function scrubStored(context: CommandContext, { dryRun = false, tenant }: ScrubOptions): Promise<void> {
  const { terminal } = context;
  const { rows, changed, kinds } = await operate(context, ({ engine, perform }) =>
    engine
      ? scrubTenants(engine, { tenant, dryRun }, (displayName) =>
          startBar(terminal, `Scrubbing ${displayName}`),
        )
      : perform(scrub, { tenant, dryRun }),
  );
  const counts = Object.entries(kinds).sort(([a], [b]) => a.localeCompare(b));
  for (const [kind, count] of counts) terminal.out(`${count} × ${kind}`);
  const where = `${counted(changed, 'row')} of ${rows}`;
  if (counts.length === 0) terminal.out(`No secrets in ${counted(rows, 'row')}.`);
  else terminal.out(dryRun ? `These would be taken out of ${where}.` : `Taken out of ${where}.`);
}
