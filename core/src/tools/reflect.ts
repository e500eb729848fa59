import { z } from 'zod';
import { ADDS, defineTool, notAvailable } from './tool.ts';

export const reflect = defineTool({
  name: 'svc_reflect',
  title: 'Consolidate old episodes',
  description:
    'Starts a consolidation: old episodes are clustered and summarised into semantic memories that link to their sources. Call it now and then, at the end of a long session or when recall returns many small pieces of one story. It runs in the background.',
  annotations: ADDS,
  input: z.strictObject({}),
  output: z.object({}),
  run: async () => {
    throw notAvailable('svc_reflect', 'Store a summary yourself with svc_remember (type semantic).');
  },
});
