import { asc, eq } from 'drizzle-orm';
import type { Operation } from '../engine/context.ts';
import { toEndpoint } from './endpoint.ts';
import { eventEndpoints } from './schema.ts';

/** Targets of events, oldest first. Design 5, events out. */
export const listEventEndpoints: Operation<'eventEndpoints'> = (context) =>
  context.read(async (tx) => {
    const found = await tx
      .select()
      .from(eventEndpoints)
      .where(eq(eventEndpoints.tenantId, context.tenantId))
      .orderBy(asc(eventEndpoints.createdAt), asc(eventEndpoints.id));
    return { endpoints: found.map(toEndpoint) };
  });
