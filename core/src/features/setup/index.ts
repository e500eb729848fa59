import { defineFeature } from '../../kernel/feature.ts';
import { setupRoutes } from './contract.ts';
import { setupScript } from './setup-script.ts';

export const setupFeature = defineFeature({
  name: 'setup',
  routes: setupRoutes,
  operations: {
    setupScript,
  },
});
