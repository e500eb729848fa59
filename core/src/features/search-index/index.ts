import { defineFeature } from '../../kernel/feature.ts';
import { neverByTime, untilDone } from '../../kernel/queue/task.ts';
import { MINUTE_MS, SECOND_MS } from '../../kernel/runtime/durations.ts';
import { analyzeOutdated } from './analyze-outdated.ts';
import { embedMissing, nextMissing } from './embed-missing.ts';
import { indexLargeTenants } from './index-large-tenants.ts';
import { corpusSizes, embeddingQueue, memoryTerms, memoryVectors } from './schema.ts';

export const searchIndexFeature = defineFeature({
  name: 'search-index',
  routes: {},
  operations: {},
  tables: [memoryTerms, corpusSizes, memoryVectors, embeddingQueue],
  tasks: () => [
    {
      name: 'embedding.catch-up',
      everyMs: 15 * SECOND_MS,
      run: untilDone(embedMissing),
      nextDue: nextMissing,
    },
    { name: 'recall.index-large', everyMs: MINUTE_MS, run: indexLargeTenants, nextDue: neverByTime },
    {
      name: 'recall.analyze-outdated',
      everyMs: MINUTE_MS,
      run: untilDone(analyzeOutdated),
      nextDue: neverByTime,
    },
  ],
});
