import { defineFeature } from '../../kernel/feature.ts';
import { embeddingModels } from './schema.ts';

export const embeddingFeature = defineFeature({
  name: 'embedding',
  routes: {},
  operations: {},
  tables: [embeddingModels],
});
