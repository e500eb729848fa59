import { defineFeature } from '../../kernel/feature.ts';
import { type ToolDescription, toolRoutes } from './contract.ts';

/** @param describe Lists every tool, in the order of the contract. */
export const toolsFeature = (describe: () => readonly ToolDescription[]) =>
  defineFeature({
    name: 'tools',
    routes: toolRoutes,
    operations: { tools: async () => ({ tools: [...describe()] }) },
  });
