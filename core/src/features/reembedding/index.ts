import { defineFeature } from '../../kernel/feature.ts';
import { untilDone } from '../../kernel/queue/task.ts';
import { forgetOtherVectors } from './forget-other-vectors.ts';
import { reembedHandler } from './reembed-handler.ts';
import { createReembedTask } from './reembed-task.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const reembeddingFeature = defineFeature({
  name: 'reembedding',
  routes: {},
  operations: {},
  tasks: () => [
    { name: 'embedding.follow-choice', everyMs: 5 * MINUTE, overlapping: true, run: createReembedTask() },
    { name: 'embedding.forget-other', everyMs: HOUR, run: untilDone(forgetOtherVectors) },
  ],
  jobs: [reembedHandler],
});
