import { defineFeature } from '../../kernel/feature.ts';
import { HOUR_MS } from '../../kernel/runtime/durations.ts';
import { reflectConfig, setReflectConfig } from './config.ts';
import { listConflicts } from './conflicts.ts';
import { reflectionRoutes } from './contract.ts';
import { decideConflicts, forgetConflicts } from './decide-conflicts.ts';
import { reflect, startDueReflections } from './reflect.ts';
import { reflectHandler } from './reflect-handler.ts';
import { reflections } from './schema.ts';

export const reflectionFeature = defineFeature({
  name: 'reflection',
  routes: reflectionRoutes,
  operations: {
    conflicts: listConflicts,
    reflect,
    reflectConfig,
    setReflectConfig,
  },
  events: ['memory.compacted'],
  acts: { 'reflect_config.changed': 'account' },
  tables: [reflections],
  tasks: () => [
    { name: 'reflection.schedule', everyMs: HOUR_MS, run: startDueReflections },
    { name: 'conflicts.decide', everyMs: 10_000, ...decideConflicts() },
    { name: 'conflicts.forget-old', everyMs: HOUR_MS, deletesByAge: true, run: forgetConflicts },
  ],
  jobs: [reflectHandler],
});
