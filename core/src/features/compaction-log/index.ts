import { defineFeature } from '../../kernel/feature.ts';
import { compactionLogRoutes } from './contract.ts';
import { compactions } from './list.ts';
import { reportMoments } from './record.ts';
import { sessionMoments } from './schema.ts';

export const compactionLogFeature = defineFeature({
  name: 'compaction-log',
  routes: compactionLogRoutes,
  operations: {
    compactions,
    reportMoments,
  },
  tables: [sessionMoments],
});
