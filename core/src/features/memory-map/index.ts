import { defineFeature } from '../../kernel/feature.ts';
import { memoryCalendar } from './calendar.ts';
import { memoryMapRoutes } from './contract.ts';
import { memoryMap } from './map.ts';

export const memoryMapFeature = defineFeature({
  name: 'memory-map',
  routes: memoryMapRoutes,
  operations: {
    memoryMap,
    memoryCalendar,
  },
});
