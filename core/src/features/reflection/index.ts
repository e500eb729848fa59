import { defineFeature } from '../../kernel/feature.ts';
import { reflectConfig, setReflectConfig } from './config.ts';
import { reflectionRoutes } from './contract.ts';
import { reflect } from './reflect.ts';
import { reflectHandler } from './reflect-handler.ts';
import { startDueReflections } from './reflect-task.ts';
import { reflections } from './schema.ts';

const HOUR = 3_600_000;

export const reflectionFeature = defineFeature({
  name: 'reflection',
  routes: reflectionRoutes,
  operations: {
    reflect,
    reflectConfig,
    setReflectConfig,
  },
  tables: [reflections],
  tasks: () => [{ name: 'reflection.schedule', everyMs: HOUR, run: startDueReflections }],
  jobs: [reflectHandler],
});
