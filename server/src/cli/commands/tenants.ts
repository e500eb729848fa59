import type { Plan } from '@svc-memory/core';
import { fields } from '@svc-memory/core/contract';
import * as actions from '../../control/actions/tenants.ts';
import { CliError } from '../../control/cli-error.ts';
import { operate } from '../access/operate.ts';
import {
  argument,
  type CommandContext,
  type CommandGroup,
  defineCommand,
  option,
} from '../console/command.ts';
import { columns } from '../console/terminal.ts';

/** The limit of a plan that has none. */
const UNLIMITED = 2_147_483_647;

const tenantArgument = () => argument('<tenant>', 'Id of the tenant, or its name where only one has it');
const emailArgument = () => argument('<e-mail>', 'Address with which the human has signed up');

const list = defineCommand({
  name: 'list',
  description: 'Print all tenants with their plan, what they used of it this month, and their humans',
  options: [option('--json', 'Print JSON')],
  run: listTenants,
});

const plan = defineCommand({
  name: 'plan',
  description: 'Move a tenant to another plan, from its next call on; on trial, its 14 days begin now',
  arguments: [tenantArgument(), argument('<plan>', 'Its new plan').choices(fields.PLANS)],
  examples: ['npx svc-memory tenants plan "Support bot" standard', 'npx svc-memory tenants plan <id> trial'],
  run: changePlan,
});

const give = defineCommand({
  name: 'give',
  description: 'Make an agent a human’s too, who then sees it on the dashboard and decides for it',
  arguments: [tenantArgument(), emailArgument()],
  options: [
    option('--unconfirmed', 'Also where nobody has confirmed the address: see first whose account it is'),
  ],
  helpText: () => `
Whoever has the agent then reads what it lets a human see, makes and revokes its keys and decides for the Guardian.
Several humans may have one agent, with the same rights, and through its spaces they reach each other's agents: give it
only to people who trust each other. All of it stands in the audit log of the agent.`,
  examples: ['npx svc-memory tenants give "Support bot" maya@example.com'],
  run: giveAgent,
});

const take = defineCommand({
  name: 'take',
  description: 'Take an agent from a human; their session and the apps they let in reach it no more',
  arguments: [tenantArgument(), emailArgument()],
  examples: ['npx svc-memory tenants take "Support bot" maya@example.com'],
  run: takeAgent,
});

export default {
  name: 'tenants',
  description: 'List tenants, change their plan, give agents to humans; also beside the running service',
  examples: [
    'npx svc-memory tenants list',
    'npx svc-memory tenants plan <tenant> standard',
    'npx svc-memory tenants give <tenant> maya@example.com',
    'npx svc-memory tenants take <tenant> maya@example.com',
  ],
  commands: [list, plan, give, take],
} satisfies CommandGroup;

/** Prints all tenants, oldest first. */
async function listTenants(context: CommandContext, { json }: { json?: true }): Promise<void> {
  const found = await operate(context, ({ perform }) => perform(actions.listTenants, {}));
  const now = new Date();
  context.terminal.out(
    json
      ? JSON.stringify(found.map(present), null, 2)
      : columns([
          ['ID', 'NAME', 'PLAN', 'TRIAL', 'OPERATIONS THIS MONTH', 'HUMANS'],
          ...found.map((tenant) => toRow(tenant, now)),
        ]),
  );
}

/** In the words of the API. */
function present({ id, displayName, plan, trialExpiresAt, usage, humans }: actions.ListedTenant) {
  return {
    id,
    display_name: displayName,
    plan,
    trial_expires_at: trialExpiresAt,
    operations_this_month: usage.operations,
    operations_limit: usage.limit,
    humans: humans.map((human) => ({
      id: human.id,
      email: human.email,
      email_verified: human.emailVerified,
    })),
  };
}

function toRow(tenant: actions.ListedTenant, now: Date): string[] {
  const { id, displayName, plan, trialExpiresAt, usage, humans } = tenant;
  const used = usage.operations.toLocaleString('en');
  return [
    ...[id, displayName, plan],
    trialExpiresAt === null
      ? ''
      : `${trialExpiresAt <= now ? 'ended' : 'ends'} ${trialExpiresAt.toISOString().slice(0, 10)}`,
    usage.limit === UNLIMITED ? `${used}, no limit` : `${used} of ${usage.limit.toLocaleString('en')}`,
    nameAll(humans),
  ];
}

function nameAll(humans: actions.Ownership['humans']): string {
  const names = humans.map(({ email, emailVerified }) => (emailVerified ? email : `${email} (unconfirmed)`));
  return names.join(', ') || 'none';
}

/** Moves a tenant to a plan. */
async function changePlan(context: CommandContext, named: string, plan: Plan): Promise<void> {
  const { tenant, former, others } = await operate(context, ({ perform }) =>
    perform(actions.changePlan, { tenant: named, plan }),
  );
  const end = tenant.trialExpiresAt ? `, until ${tenant.trialExpiresAt.toISOString().slice(0, 10)}` : '';
  context.terminal.out(
    `${tenant.displayName} (${tenant.id}) is on the plan ${tenant.plan}${end}; it was on ${former}.`,
  );
  if (others.length > 0) {
    const names = others.map((other) => `${other.id} (${other.displayName}, ${other.plan})`);
    context.terminal.err(`Its humans have other agents on another plan: ${names.join(', ')}.`);
  }
}

/** Makes an agent a human's too. */
async function giveAgent(
  context: CommandContext,
  named: string,
  email: string,
  { unconfirmed }: { unconfirmed?: true },
): Promise<void> {
  const { tenant, human, changed, humans } = await operate(context, ({ perform }) =>
    perform(actions.giveAgent, { tenant: named, email, unconfirmed: unconfirmed === true }),
  );
  const whose = changed ? 'now belongs to' : 'belonged already to';
  context.terminal.out(`${tenant.displayName} (${tenant.id}) ${whose} ${human.email}.`);
  context.terminal.err(`All its humans: ${nameAll(humans)}.`);
}

/** Takes an agent from a human. */
async function takeAgent(context: CommandContext, named: string, email: string): Promise<void> {
  const { tenant, human, changed, humans } = await operate(context, ({ perform }) =>
    perform(actions.takeAgent, { tenant: named, email }),
  );
  if (!changed) {
    throw new CliError(`${tenant.displayName} (${tenant.id}) does not belong to ${human.email}.`, {
      fix: `Its humans: ${nameAll(humans)}.`,
    });
  }
  context.terminal.out(`${tenant.displayName} (${tenant.id}) no longer belongs to ${human.email}.`);
  context.terminal.err(
    `All its humans: ${nameAll(humans)}. Its API keys and event endpoints stay, also those they made: npx svc-memory keys list --tenant ${tenant.id}`,
  );
}
