import { sql } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { isoText } from '../../kernel/database/columns.ts';
import { rows } from '../../kernel/database/database.ts';
import { sortedList } from '../../kernel/database/sorted-list.ts';
import { agentUsers } from '../../kernel/tenancy/schema.ts';
import { countKnown } from '../memory/counts.ts';
import { corpusSizes } from '../search-index/schema.ts';
import { currentView } from '../visibility/view.ts';
import type { userRoutes } from './contract.ts';

interface UserRow {
  readonly user_id: string;
  readonly tenant: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly memories: number;
}

/** The users of the agent, or those whose ids contain a text, the latest seen first. */
export const listUsers: Operation<typeof userRoutes.users> = async (context, { contains, limit, cursor }) => {
  const { database, agentId } = context;
  const { lastSeenAt, userTenantId } = agentUsers;
  const list = sortedList('desc', [lastSeenAt, userTenantId]);
  const after = list.after(cursor);
  // Numbers are in the users' own tenants, so the agent's own scope sees none of them. Index agent_users_seen.
  const found = await database.system((tx) =>
    rows<UserRow>(
      tx,
      sql`SELECT user_id, user_tenant_id AS tenant, ${isoText(sql`created_at`)} AS created_at,
            ${isoText(sql`last_seen_at`)} AS last_seen_at, coalesce(size.documents, 0)::int AS memories
          FROM ${agentUsers} LEFT JOIN ${corpusSizes} size ON size.tenant_id = user_tenant_id
          WHERE ${agentUsers.tenantId} = ${agentId}::uuid AND forgotten_at IS NULL
            ${contains ? sql`AND position(lower(${contains}) IN lower(user_id)) > 0` : sql``}
            ${after ? sql`AND ${after}` : sql``}
          ORDER BY last_seen_at DESC, user_tenant_id DESC LIMIT ${limit + 1}`,
    ),
  );
  const { page, next_cursor } = list.toPage(found, limit, (row) => ({
    at: new Date(row.last_seen_at),
    id: row.tenant,
  }));
  const sizes = await knownSizes(context, page);
  const users = page.map(({ user_id: id, tenant, ...rest }) => ({ id, ...rest, memories: sizes(tenant) }));
  return { users, next_cursor };
};

/** How many memories the caller may know of, of each user. */
async function knownSizes(context: Context, users: readonly UserRow[]): Promise<(tenant: string) => number> {
  const view = await currentView(context);
  const ids = users.map(({ tenant }) => tenant);
  if (!view.isFull) return context.database.system((tx) => countKnown(tx, ids, view));
  const sizes = new Map(users.map(({ tenant, memories }) => [tenant, memories]));
  return (tenant) => sizes.get(tenant) ?? 0;
}
