import { defineFeature } from '../../kernel/feature.ts';
import { acceptRequest, acceptResults } from './accept.ts';
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
  hooks: {
    'recall:before': { accept: acceptRequest, onFailure: 'skip' },
    'recall:after': { accept: acceptResults, onFailure: 'skip' },
  },
});
