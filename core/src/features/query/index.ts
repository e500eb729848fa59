import { defineFeature } from '../../kernel/feature.ts';
import { queryRoutes } from './contract.ts';
import { query } from './query.ts';

export const queryFeature = defineFeature({
  name: 'query',
  routes: queryRoutes,
  operations: {
    query,
  },
  events: ['memory.recalled'],
});
