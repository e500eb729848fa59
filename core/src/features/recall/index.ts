import { defineFeature } from '../../kernel/feature.ts';
import { recallRoutes } from './contract.ts';
import { recall } from './recall.ts';

export const recallFeature = defineFeature({
  name: 'recall',
  routes: recallRoutes,
  operations: {
    recall,
  },
  hooks: ['recall:before', 'recall:after'],
});
