import { defineFeature } from '../../kernel/feature.ts';
import { recallLogRoutes } from './contract.ts';
import { forgetOldRecalls } from './forget-old.ts';
import { recalls } from './recalls.ts';
import { loggedRecalls } from './schema.ts';

const HOUR = 3_600_000;

export const recallLogFeature = defineFeature({
  name: 'recall-log',
  routes: recallLogRoutes,
  operations: {
    recalls,
  },
  tables: [loggedRecalls],
  tasks: () => [{ name: 'recalls.forget-old', everyMs: HOUR, deletesByAge: true, run: forgetOldRecalls }],
});
