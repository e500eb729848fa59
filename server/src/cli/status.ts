import { EXIT } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { withMemory } from './memory-access.ts';
import { columns } from './terminal.ts';

/** Prints the tenant, its use of the plan, and how many memories it has. */
export async function status(context: CommandContext, { json }: { json?: true }): Promise<number> {
  await withMemory(context, async (memory, { url }) => {
    const answer = await memory.status();
    if (json) return context.terminal.out(JSON.stringify({ url: url ?? null, ...answer }, null, 2));
    const { tenant, usage, counts } = answer;
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
    ];
    context.terminal.out(columns(facts));
  });
  return EXIT.ok;
}

function limit(plan: string, operations: number): string {
  return plan === 'local' ? 'any number' : String(operations);
}
