import { defineFeature } from '../../kernel/feature.ts';
import { factConflicts } from './schema.ts';

/**
 * Tells which facts a new one replaces: `find-related.ts` finds those that share words with it, `compare-fact.ts` judges each of
 * them. What a text says of what is read in `fact/`; two facts are compared in `rules/`, beginning at `judge.ts`. The memory
 * feature acts on the judgement, and reflection asks a language model about what the rules cannot tell.
 */
export const supersessionFeature = defineFeature({
  name: 'supersession',
  routes: {},
  operations: {},
  tables: [factConflicts],
});
