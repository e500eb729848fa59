import type { Engine, HumanRecord, TenantRecord } from '@svc-memory/core';
import { fields } from '@svc-memory/core/contract';
import { z } from 'zod';
import { findByIdOrName } from '../choose-tenant.ts';
import { CliError } from '../cli-error.ts';
import type { EngineAction } from '../engine-action.ts';

const plan = z.enum(fields.PLANS);

const shownTenant = z.object({
  id: z.string(),
  displayName: z.string(),
  plan,
  trialExpiresAt: z.coerce.date().nullable(),
});

const shownHuman = z.object({
  id: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  createdAt: z.coerce.date(),
});

const listedTenant = shownTenant.extend({
  usage: z.object({ operations: z.number(), limit: z.number() }),
  humans: z.array(shownHuman),
});
/** A tenant with its humans, and what it has used of its plan this month. */
export type ListedTenant = z.output<typeof listedTenant>;

/** All tenants, oldest first. */
export const listTenants: EngineAction<object, ListedTenant[]> = {
  name: 'tenants.list',
  input: z.object({}),
  output: z.array(listedTenant),
  run: async (engine) => {
    const [tenants, humans] = [await engine.tenants.listWithUsage(), await engine.accounts.humansOf()];
    return tenants.map((tenant) => ({ ...tenant, humans: [...(humans.get(tenant.id) ?? [])] }));
  },
};

const movement = z.object({
  /** Id or name. */
  tenant: z.string(),
  plan,
});

const moved = z.object({
  tenant: shownTenant,
  former: plan,
  /** What else its humans have on another plan. */
  others: z.array(shownTenant),
});

/** Moves a tenant to a plan. */
export const changePlan: EngineAction<z.output<typeof movement>, z.output<typeof moved>> = {
  name: 'tenants.plan',
  input: movement,
  output: moved,
  run: async (engine, { tenant: named, plan }) => {
    const found = await findByIdOrName(engine, named);
    const tenant = await engine.tenants.changePlan(found.id, plan);
    if (!tenant) throw new CliError(`${found.displayName} (${found.id}) is there no more.`);
    return { tenant, former: found.plan, others: await othersOf(engine, tenant) };
  },
};

async function othersOf(engine: Engine, { id, plan }: TenantRecord): Promise<TenantRecord[]> {
  const others = new Map<string, TenantRecord>();
  for (const human of await humansOf(engine, id)) {
    for (const agent of await engine.accounts.agentsOf(human.id)) others.set(agent.id, agent);
  }
  return [...others.values()].filter((agent) => agent.plan !== plan);
}

const oneHuman = z.object({
  /** Id or name. */
  tenant: z.string(),
  email: z.string(),
});

const gift = oneHuman.extend({
  /** Whether the address may be one that nobody has confirmed. */
  unconfirmed: z.boolean(),
});

const ownership = z.object({
  tenant: shownTenant,
  human: shownHuman,
  /** Whether anything was changed. */
  changed: z.boolean(),
  /** All humans that the agent has now. */
  humans: z.array(shownHuman),
});
/** What became of the humans of an agent. */
export type Ownership = z.output<typeof ownership>;

/** Makes an agent a human's too, who has signed up. */
export const giveAgent: EngineAction<z.output<typeof gift>, Ownership> = {
  name: 'tenants.give',
  input: gift,
  output: ownership,
  run: async (engine, { tenant: named, email, unconfirmed }) => {
    const tenant = await findByIdOrName(engine, named);
    const human = await findHuman(engine, email);
    if (!human.emailVerified && !unconfirmed) throw notConfirmed(human);
    const changed = await engine.accounts.giveAgent(tenant.id, human.id);
    return { tenant, human, changed, humans: await humansOf(engine, tenant.id) };
  },
};

/** Takes an agent from a human. */
export const takeAgent: EngineAction<z.output<typeof oneHuman>, Ownership> = {
  name: 'tenants.take',
  input: oneHuman,
  output: ownership,
  run: async (engine, { tenant: named, email }) => {
    const tenant = await findByIdOrName(engine, named);
    const human = await findHuman(engine, email);
    const changed = await engine.accounts.takeAgent(tenant.id, human.id);
    return { tenant, human, changed, humans: await humansOf(engine, tenant.id) };
  },
};

async function humansOf(engine: Engine, tenantId: string): Promise<HumanRecord[]> {
  return [...((await engine.accounts.humansOf(tenantId)).get(tenantId) ?? [])];
}

async function findHuman(engine: Engine, email: string): Promise<HumanRecord> {
  const human = await engine.accounts.findHuman(email.trim());
  if (human) return human;
  throw new CliError(`Nobody has signed up with ${email}.`, {
    fix: 'They sign up first, on the dashboard of the service; SVC_ALLOW_SIGNUP says whether it lets them.',
  });
}

/** A stranger may have signed up with the address of somebody else, where no mail is sent. */
function notConfirmed({ email, createdAt }: HumanRecord): CliError {
  const day = createdAt.toISOString().slice(0, 10);
  return new CliError(
    `The address ${email} is not confirmed: anybody may have signed up with it (on ${day}, somebody did).`,
    {
      fix: 'With SVC_SMTP_URL they confirm it by a link in a mail. If you have seen them signed in with it, so that you know the account is theirs, add --unconfirmed.',
    },
  );
}
