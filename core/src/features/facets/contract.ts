import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';

/** Memories that the facets are counted over, an equal share from what is the agent's own and from each space. */
export const FACET_MEMORIES = 20_000;
/** Memories whose texts are read for names, shared likewise. */
export const NAME_MEMORIES = 2_000;

const facet = z.object({ value: z.string(), memories: z.int() });
export type Facet = z.output<typeof facet>;

export const facetRoutes = {
  /** What there is to filter memories by, each with how many memories have it. */
  memoryFacets: route({
    method: 'GET',
    path: '/memories/facets',
    access: 'read',
    metering: 'free',
    spaces: 'read',
    readsSpaces: true,
    summary: 'Count the values that memories can be filtered by',
    request: z.strictObject({
      space_id: field.spaceId.optional(),
      type: field.memoryType.optional(),
      /** Most values of each facet. */
      limit: z.int().min(1).max(200).default(30),
    }),
    response: z.object({
      /** Of the newest 20,000 memories, the value that most have first. */
      tags: z.array(facet),
      categories: z.array(facet),
      sources: z.array(z.object({ value: field.source, memories: z.int() })),
      /** Those with the newest memories first. */
      sessions: z.array(facet.extend({ last_at: field.instant })),
      /**
       * Names of people, places and things: words with a capital within a sentence, of which at least two of the newest 2,000
       * memories speak. To be found by the filter `entity`.
       */
      names: z.array(facet),
    }),
  }),
};
