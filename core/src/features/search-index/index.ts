import { defineFeature } from '../../kernel/feature.ts';
import { neverByTime, untilDone } from '../../kernel/queue/task.ts';
import { analyzeOutdated } from './analyze-outdated.ts';
import { embedMissing, nextMissing } from './embed-missing.ts';
import { indexLargeTenants } from './index-large-tenants.ts';
import { corpusSizes, embeddingQueue, memoryTerms, memoryVectors } from './schema.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export const searchIndexFeature = defineFeature({
  name: 'search-index',
  routes: {},
  operations: {},
  tables: [memoryTerms, corpusSizes, memoryVectors, embeddingQueue],
  tasks: () => [
    {
      name: 'embedding.catch-up',
      everyMs: 15 * SECOND,
      run: untilDone(embedMissing),
      nextDue: nextMissing,
    },
    { name: 'recall.index-large', everyMs: MINUTE, run: indexLargeTenants, nextDue: neverByTime },
    {
      name: 'recall.analyze-outdated',
      everyMs: MINUTE,
      run: untilDone(analyzeOutdated),
      nextDue: neverByTime,
    },
  ],
});
