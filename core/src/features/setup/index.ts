import { defineFeature } from '../../kernel/feature.ts';
import { setupRoutes } from './contract.ts';
import { setupScript } from './steps.ts';

export const setupFeature = defineFeature({
  name: 'setup',
  routes: setupRoutes,
  operations: {
    setupScript,
  },
});
