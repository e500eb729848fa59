import { routes } from '../contract/index.ts';
import { ADDS, defineTool } from './tool.ts';

export const reflect = defineTool({
  name: 'svc_reflect',
  title: 'Consolidate old episodes',
  description:
    'Starts a consolidation: old episodes are clustered and summarised into semantic memories that link to their sources, copies are merged, and what a newer memory contradicts is marked. Call it now and then, at the end of a long session or when recall returns many small pieces of one story. It runs in the background; calling it again shows how far it is.',
  annotations: ADDS,
  input: routes.reflect.request,
  output: routes.reflect.response,
  run: (memory, input, options) => memory.reflect(input, options),
});
