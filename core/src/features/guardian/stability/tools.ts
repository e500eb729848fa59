import type { Methods } from '../../../kernel/contract/route.ts';
import { type AnyTool, defineTool, SETS } from '../../../kernel/tools/tool.ts';
import { stabilityRoutes } from './contract.ts';

const dismissDriftCheck = defineTool({
  name: 'svc_dismiss_drift_check',
  title: 'Dismiss the drift check',
  description:
    'Closes the drift check that your boot text shows: the question whether you are still yourself after changes or many compactions. Read your core memories first, then call it with the reason why all is well. If something is wrong, call svc_distress_signal instead.',
  annotations: SETS,
  input: stabilityRoutes.dismissDriftCheck.request,
  output: stabilityRoutes.dismissDriftCheck.response,
  run: (memory: Methods<typeof stabilityRoutes>, input, options) => memory.dismissDriftCheck(input, options),
});

export const stabilityTools: readonly AnyTool[] = [dismissDriftCheck];
