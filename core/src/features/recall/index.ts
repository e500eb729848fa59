import { defineFeature } from '../../kernel/feature.ts';
import { recallRoutes } from './contract.ts';
import { recall } from './recall.ts';
import { similar } from './similar.ts';

export const recallFeature = defineFeature({
  name: 'recall',
  routes: recallRoutes,
  operations: {
    recall,
    similar,
  },
  events: ['memory.recalled'],
  hooks: ['recall:before', 'recall:after'],
});
