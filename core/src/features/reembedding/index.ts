import { defineFeature } from '../../kernel/feature.ts';
import { untilDone } from '../../kernel/queue/task.ts';
import { HOUR_MS, MINUTE_MS } from '../../kernel/runtime/durations.ts';
import { forgetOtherVectors } from './forget-other-vectors.ts';
import { reembedHandler } from './reembed-handler.ts';
import { createReembedTask } from './reembed-task.ts';

export const reembeddingFeature = defineFeature({
  name: 'reembedding',
  routes: {},
  operations: {},
  tasks: () => [
    { name: 'embedding.follow-choice', everyMs: 5 * MINUTE_MS, overlapping: true, run: createReembedTask() },
    { name: 'embedding.forget-other', everyMs: HOUR_MS, run: untilDone(forgetOtherVectors) },
  ],
  jobs: [reembedHandler],
});
