import { defineFeature } from '../../kernel/feature.ts';
import { HOUR_MS } from '../../kernel/runtime/durations.ts';
import { recallLogRoutes } from './contract.ts';
import { forgetOldRecalls } from './recall-log.ts';
import { recalls } from './recalls.ts';
import { loggedRecalls } from './schema.ts';

export const recallLogFeature = defineFeature({
  name: 'recall-log',
  routes: recallLogRoutes,
  operations: {
    recalls,
  },
  tables: [loggedRecalls],
  tasks: () => [{ name: 'recalls.forget-old', everyMs: HOUR_MS, deletesByAge: true, run: forgetOldRecalls }],
});
