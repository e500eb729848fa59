import { defineFeature } from '../../kernel/feature.ts';
import { exportRoutes } from './contract.ts';
import { exportMemories } from './export.ts';

export const exportFeature = defineFeature({
  name: 'export',
  routes: exportRoutes,
  operations: {
    export: exportMemories,
  },
  events: ['memory.exported'],
  acts: { 'memories.exported': 'account' },
});
