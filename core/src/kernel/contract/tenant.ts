import { z } from 'zod';
import * as field from './fields.ts';

/** The account an agent lives in. */
export const tenant = z.object({
  id: z.uuid(),
  display_name: z.string(),
  plan: z.enum(['trial', 'standard', 'local']),
  trial_expires_at: field.instant.optional(),
});

/** What an agent or a human is called. */
export const displayName = field.text(100).refine((value) => value.trim() !== '', 'must not be blank');
