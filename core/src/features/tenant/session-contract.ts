import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';

export const sessionRoutes = {
  /**
   * Makes a new session key; the one before ends with it. It tells the agent from its human, who never sees it. It is
   * no second factor: whoever has the API key can make one.
   */
  sessionKey: route({
    method: 'POST',
    path: '/session-key',
    access: 'agent',
    metering: 'counted',
    summary: 'Get a new session key',
    request: z.strictObject({}),
    response: z.object({ session_key: z.string(), expires_at: field.instant }),
    idempotent: false,
  }),
};
