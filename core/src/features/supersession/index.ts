import { defineFeature } from '../../kernel/feature.ts';

/** Tells which facts a new one replaces. The memory feature acts on it. */
export const supersessionFeature = defineFeature({ name: 'supersession', routes: {}, operations: {} });
