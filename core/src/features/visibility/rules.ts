import { eq, or, sql } from 'drizzle-orm';
import type { Call } from '../../kernel/context/call.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { uuids } from '../../kernel/database/parameters.ts';
import { readingAllTenants } from '../../kernel/database/tenant-scope.ts';
import { spaceMembers, spaces } from '../../kernel/tenancy/schema.ts';
import { isOfAccount } from '../accounts/same-account.ts';
import { DEFAULT_VISIBILITY, type VisibilitySettings } from './contract.ts';
import { showsAll } from './level.ts';
import { visibilityTable } from './schema.ts';
import { loadVisibility } from './settings.ts';

/** Whose rules a human reads under: of what is the agent's own its own, in a space those of whoever wrote there. */
export interface Rules {
  /** Of the agent that the human chose. */
  readonly own: VisibilitySettings;
  readonly spaceIds: readonly string[];
  /** The agents that may have written there and withhold something, whether the human chose them or not. */
  readonly writers: readonly Writer[];
}
interface Writer {
  readonly agentId: string;
  readonly settings: VisibilitySettings;
}

export const NO_RULES: Rules = { own: DEFAULT_VISIBILITY, spaceIds: [], writers: [] };

export interface RuleReader extends Pick<Call, 'agentId'> {
  readonly space?: { readonly id: string } | undefined;
  readonly readsSpaces?: readonly { readonly id: string }[] | undefined;
}

/** The rules in force in this transaction. */
export async function loadRules(tx: Tx, { agentId, space, readsSpaces = [] }: RuleReader): Promise<Rules> {
  const own = await loadVisibility(tx, agentId);
  const spaceIds = [...new Set([...(space ? [space.id] : []), ...readsSpaces.map(({ id }) => id)])];
  if (spaceIds.length === 0) return { own, spaceIds, writers: [] };
  return { own, spaceIds, writers: await loadWriters(tx, agentId, spaceIds) };
}

/** The rules for what an agent tells of all that it reads: of its own, and of the spaces it is in. */
export async function loadRulesEverywhere(tx: Tx, agentId: string): Promise<Rules> {
  const readsSpaces = await readingAllTenants(tx, () =>
    tx.select({ id: spaceMembers.tenantId }).from(spaceMembers).where(eq(spaceMembers.agentId, agentId)),
  );
  return loadRules(tx, { agentId, readsSpaces });
}

/** True where no rule withholds anything from the human. */
export function withholdNothing({ own, writers }: Rules): boolean {
  return showsAll(own) && writers.length === 0;
}

/**
 * The rules one state of a memory is under that is no row of its own.
 *
 * @param writer In a space, who wrote it; null where that is not known, and undefined for what is the agent's own.
 */
export function rulesOf({ own, writers }: Rules, writer: string | null | undefined): VisibilitySettings[] {
  if (writer === undefined) return [own];
  return writers.flatMap(({ agentId, settings }) =>
    writer === null || writer === agentId ? [settings] : [],
  );
}

/**
 * Agents that withhold something and may be in one of the spaces or have been: its members, and all that belong to the account of
 * the agent that made it, since who was taken out has still written there. Their settings are in tenants of their own.
 */
async function loadWriters(tx: Tx, agentId: string, spaceIds: readonly string[]): Promise<Writer[]> {
  const wanted = uuids([...spaceIds]);
  const found = await readingAllTenants(tx, async () => {
    const makers = await rows<{ id: string }>(
      tx,
      sql`SELECT DISTINCT created_by AS id FROM ${spaces} WHERE tenant_id = ANY(${wanted})`,
    );
    const agent = visibilityTable.tenantId;
    const belongs = or(
      eq(agent, agentId),
      sql`EXISTS (SELECT FROM ${spaceMembers} m WHERE m.tenant_id = ANY(${wanted}) AND m.agent_id = ${agent})`,
      ...makers.map(({ id }) => isOfAccount(agent, { agentId: id, actor: ANY_AGENT })),
    );
    return tx.select().from(visibilityTable).where(belongs);
  });
  return found.flatMap(({ tenantId, settings: stored }) => {
    const settings = { ...DEFAULT_VISIBILITY, ...stored };
    return showsAll(settings) ? [] : [{ agentId: tenantId, settings }];
  });
}

/** By it, `isOfAccount` tells which agents have a human in common. */
const ANY_AGENT = { source: 'agent', credentialId: null } as const;
