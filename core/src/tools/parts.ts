import { z } from 'zod';
import * as fields from '../contract/fields.ts';

export { routes } from '../contract/index.ts';

/** The contract's fields, and an id that is told when it cannot be one. */
export const field = { ...fields, knownId: z.uuid() };
