import { z } from 'zod';
import type { EngineAction } from '../engine-action.ts';

const vacuumed = z.object({
  /** Whether the write-ahead log holds nothing of what was deleted either. */
  logEmptied: z.boolean(),
});

/** Writes the database's files anew, without what was deleted. */
export const vacuum: EngineAction<object, z.output<typeof vacuumed>> = {
  name: 'vacuum',
  input: z.object({}),
  output: vacuumed,
  run: ({ database }) => database.vacuum(),
};
