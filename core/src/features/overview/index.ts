import { defineFeature } from '../../kernel/feature.ts';
import { dashboardRoutes } from './contract.ts';
import { dashboard } from './dashboard.ts';

export const overviewFeature = defineFeature({
  name: 'overview',
  routes: dashboardRoutes,
  operations: {
    dashboard,
  },
});
