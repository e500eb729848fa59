import { defineFeature } from '../../kernel/feature.ts';
import { reflectConfig, setReflectConfig } from './config.ts';
import { conflicts } from './conflicts.ts';
import { reflectionRoutes } from './contract.ts';
import { decideConflicts, forgetConflicts, nextQuestion } from './decide-conflicts.ts';
import { reflect } from './reflect.ts';
import { reflectHandler } from './reflect-handler.ts';
import { startDueReflections } from './reflect-task.ts';
import { reflections } from './schema.ts';

const HOUR = 3_600_000;

export const reflectionFeature = defineFeature({
  name: 'reflection',
  routes: reflectionRoutes,
  operations: {
    conflicts,
    reflect,
    reflectConfig,
    setReflectConfig,
  },
  events: ['memory.compacted'],
  acts: { 'reflect_config.changed': 'account' },
  tables: [reflections],
  tasks: () => [
    { name: 'reflection.schedule', everyMs: HOUR, run: startDueReflections },
    { name: 'conflicts.decide', everyMs: 10_000, run: decideConflicts, nextDue: nextQuestion },
    { name: 'conflicts.forget-old', everyMs: HOUR, run: forgetConflicts },
  ],
  jobs: [reflectHandler],
});
