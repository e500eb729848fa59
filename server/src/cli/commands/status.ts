import { reach } from '../access/reach.ts';
import { type CommandContext, defineCommand, option } from '../console/command.ts';
import { columns } from '../console/terminal.ts';

export default defineCommand({
  name: 'status',
  description: 'Print the tenant, its usage and its number of memories',
  options: [option('--json', 'Print JSON')],
  run: printStatus,
});

async function printStatus(context: CommandContext, { json }: { json?: true }): Promise<void> {
  await reach(context, async (reached) => {
    const url = reached.kind === 'service' ? reached.credentials.apiUrl : undefined;
    const answer = await reached.memory.status();
    if (json) return context.terminal.out(JSON.stringify({ url: url ?? null, ...answer }, null, 2));
    const { tenant, usage, counts, storage } = answer;
    const total = counts.core + counts.working + counts.episodic + counts.semantic;
    const facts = [
      ['Service', url ?? 'stopped (read from the database)'],
      ['Tenant', `${tenant.display_name} (${tenant.id})`],
      ['Plan', tenant.trial_expires_at ? `${tenant.plan}, until ${tenant.trial_expires_at}` : tenant.plan],
      [
        'Operations',
        `${usage.operations_this_month} of ${limit(tenant.plan, usage.operations_limit)} this month`,
      ],
      [
        'Memories',
        `${total}: ${Object.entries(counts)
          .map(([type, count]) => `${count} ${type}`)
          .join(', ')}`,
      ],
      ...(storage
        ? [['Storage', `${storage.is_estimate ? 'about ' : ''}${storage.memory_bytes} bytes of content`]]
        : []),
    ];
    context.terminal.out(columns(facts));
  });
}

function limit(plan: string, operations: number): string {
  return plan === 'local' ? 'any number' : String(operations);
}
