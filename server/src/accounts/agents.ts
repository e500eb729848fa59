import type { TenantRecord } from '@svc-memory/core';
import type { AccountRoutes } from '@svc-memory/core/contract';
import type { z } from 'zod';
import { humanOf } from '../access/credential.ts';
import type { AccountHandler } from './handler.ts';

type Agent = z.output<AccountRoutes['agents']['response']>['agents'][number];

/** Lists the human's agents. GET /agents. */
export const agents: AccountHandler<'agents'> = async ({ engine }, { response }) => ({
  agents: (await engine.accounts.agentsOf(humanOf(response).user.id)).map(presentAgent),
});

/** Makes one more agent. POST /agents. */
export const createAgent: AccountHandler<'createAgent'> = async ({ engine }, { input, response }) => ({
  outcome: 'created',
  agent: presentAgent(await engine.accounts.openAgent(humanOf(response).user.id, input.display_name)),
});

/** An agent's account as our answers show it. */
export function presentAgent({ id, displayName, plan, trialExpiresAt }: TenantRecord): Agent {
  return {
    id,
    display_name: displayName,
    plan,
    ...(trialExpiresAt ? { trial_expires_at: trialExpiresAt.toISOString() } : {}),
  };
}
