import { defineFeature } from '../../kernel/feature.ts';
import { guardianEntries } from './pending-change-schema.ts';
import { memories, memoryVersions } from './schema.ts';

export const recordsFeature = defineFeature({
  name: 'records',
  routes: {},
  operations: {},
  tables: [memories, memoryVersions, guardianEntries],
});
