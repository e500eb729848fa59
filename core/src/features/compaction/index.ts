import { acceptFields } from '../../kernel/contract/accept-fields.ts';
import { defineFeature } from '../../kernel/feature.ts';
import { compaction } from './compaction.ts';
import { compactionRoutes } from './contract.ts';

export const compactionFeature = defineFeature({
  name: 'compaction',
  routes: compactionRoutes,
  operations: {
    compaction,
  },
  hooks: {
    'compaction:before': {
      accept: (answered, given) => acceptFields(compactionRoutes.compaction.request.shape, answered, given),
      onFailure: 'refuse',
    },
    'compaction:after': 'notify',
  },
});
