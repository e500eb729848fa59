import { defineFeature } from '../../kernel/feature.ts';
import { compaction } from './compaction.ts';
import { compactionRoutes } from './contract.ts';

export const compactionFeature = defineFeature({
  name: 'compaction',
  routes: compactionRoutes,
  operations: {
    compaction,
  },
  hooks: ['compaction:before', 'compaction:after'],
});
