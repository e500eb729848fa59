import { defineFeature } from '../../kernel/feature.ts';
import { factConflicts } from './schema.ts';

/** Tells which facts a new one replaces. The memory feature acts on it, and reflection on what it cannot tell. */
export const supersessionFeature = defineFeature({
  name: 'supersession',
  routes: {},
  operations: {},
  tables: [factConflicts],
});
