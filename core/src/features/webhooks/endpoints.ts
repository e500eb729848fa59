import { asc, eq } from 'drizzle-orm';
import { eventEndpoints } from '../../kernel/commit/outbox-schema.ts';
import type { Operation } from '../../kernel/context/context.ts';
import type { eventRoutes } from './contract.ts';
import { toEndpoint } from './endpoint.ts';

/** Lists event endpoints, oldest first. */
export const listEventEndpoints: Operation<typeof eventRoutes.eventEndpoints> = (context) =>
  context.read(async (tx) => {
    const found = await tx
      .select()
      .from(eventEndpoints)
      .where(eq(eventEndpoints.tenantId, context.tenantId))
      .orderBy(asc(eventEndpoints.createdAt), asc(eventEndpoints.id));
    return { endpoints: found.map(toEndpoint) };
  });
