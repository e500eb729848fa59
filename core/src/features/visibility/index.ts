import { defineFeature } from '../../kernel/feature.ts';
import { visibilityRoutes } from './contract.ts';
import { visibilityTable } from './schema.ts';
import { setVisibility, visibility } from './settings.ts';

export const visibilityFeature = defineFeature({
  name: 'visibility',
  routes: visibilityRoutes,
  operations: {
    visibility,
    setVisibility,
  },
  events: ['visibility.changed'],
  acts: { 'visibility.changed': 'account' },
  tables: [visibilityTable],
});
