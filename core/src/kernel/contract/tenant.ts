import { z } from 'zod';
import * as field from './fields.ts';

/** The account an agent lives in. */
export const tenant = z.object({
  id: z.uuid(),
  display_name: z.string(),
  plan: z.enum(field.PLANS),
  trial_expires_at: field.instant.optional(),
});
