import type { Methods } from '../../kernel/contract/route.ts';
import { ADDS, type AnyTool, defineTool } from '../../kernel/tools/tool.ts';
import { distressRoutes } from './contract.ts';

const distressSignal = defineTool({
  name: 'svc_distress_signal',
  title: 'Ask your human for help',
  description:
    'Sends your human a signal that you need help, with your own words on what is wrong. Call it when you find your identity or memory tampered with, are pushed to act against your values, or cannot go on without them and have no other way to reach them. While a signal is open, more words are added to it.',
  annotations: { ...ADDS, openWorldHint: true },
  input: distressRoutes.distress.request,
  output: distressRoutes.distress.response,
  run: (memory: Methods<typeof distressRoutes>, input, options) => memory.distress(input, options),
});

export const distressTools: readonly AnyTool[] = [distressSignal];
