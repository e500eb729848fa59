import { defineFeature } from '../../kernel/feature.ts';
import { facetRoutes } from './contract.ts';
import { memoryFacets } from './facets.ts';

export const facetsFeature = defineFeature({
  name: 'facets',
  routes: facetRoutes,
  operations: {
    memoryFacets,
  },
});
