import type { Methods } from '../../kernel/contract/route.ts';
import { ADDS, type AnyTool, defineTool } from '../../kernel/tools/tool.ts';
import { reflectionRoutes } from './contract.ts';

const reflect = defineTool({
  name: 'svc_reflect',
  title: 'Consolidate old episodes',
  description:
    'Starts a consolidation: old episodes are clustered and summarised into semantic memories that link to their sources, copies are merged, and what a newer memory contradicts is marked. Call it now and then, at the end of a long session or when recall returns many small pieces of one story. It runs in the background; calling it again shows how far it is.',
  annotations: ADDS,
  input: reflectionRoutes.reflect.request,
  output: reflectionRoutes.reflect.response,
  run: (memory: Methods<typeof reflectionRoutes>, input, options) => memory.reflect(input, options),
});

export const reflectionTools: readonly AnyTool[] = [reflect];
