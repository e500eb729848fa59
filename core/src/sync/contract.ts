import { z } from 'zod';
import * as field from '../contract/fields.ts';
import { route } from '../contract/route.ts';
import { memory } from '../memory/contract.ts';

/** Where working memory goes when a sync names no key. */
const DEFAULT_SYNC_KEY = 'working';

export const syncRoutes = {
  /** Makes the stored working memory equal to a markdown document; the same document again changes nothing. */
  syncWorking: route({
    method: 'POST',
    path: '/webhooks/memory-sync',
    access: 'write',
    metering: 'counted',
    summary: 'Sync the working-memory document',
    spec: 'Endpoints, Webhooks: POST /webhooks/memory-sync',
    request: z.strictObject({
      content: field.text(field.LIMITS.documentCharacters),
      key: field.key
        .max(200, 'must be at most 200 characters')
        .regex(/^[^#]*$/, 'must not contain #: it separates the key of a document from its parts')
        .default(DEFAULT_SYNC_KEY),
    }),
    response: z.object({
      /** The memory that holds the document, or its first part. */
      memory,
      changes: z.object({ created: z.int(), updated: z.int(), unchanged: z.int(), archived: z.int() }),
    }),
  }),
};
