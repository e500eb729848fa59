import { defineFeature } from '../../kernel/feature.ts';
import { activityRoutes } from './contract.ts';
import { memoryGrowth } from './growth.ts';
import { learnt } from './learnt.ts';

export const activityFeature = defineFeature({
  name: 'activity',
  routes: activityRoutes,
  operations: {
    learnt,
    memoryGrowth,
  },
});
