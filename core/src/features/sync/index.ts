import { defineFeature } from '../../kernel/feature.ts';
import { syncRoutes } from './contract.ts';
import { syncCore } from './sync-core.ts';
import { syncWorking } from './sync-working.ts';

export const syncFeature = defineFeature({
  name: 'sync',
  routes: syncRoutes,
  operations: {
    syncWorking,
    syncCore,
  },
});
