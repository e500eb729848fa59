import { defineFeature } from '../../kernel/feature.ts';
import { distressRoutes } from './contract.ts';
import { acknowledgeDistress, distress, listDistress } from './distress.ts';
import { distressSignals } from './schema.ts';

export const distressFeature = defineFeature({
  name: 'distress',
  routes: distressRoutes,
  operations: {
    distress,
    distressSignals: listDistress,
    acknowledgeDistress,
  },
  events: ['distress.raised', 'distress.acknowledged'],
  tables: [distressSignals],
});
