import { routes } from '../contract/index.ts';
import { defineTool, SETS } from './tool.ts';

export const dismissDriftCheck = defineTool({
  name: 'svc_dismiss_drift_check',
  title: 'Dismiss the drift check',
  description:
    'Closes the drift check that your boot text shows: the question whether you are still yourself after changes or many compactions. Read your core memories first, then call it with the reason why all is well. If something is wrong, call svc_distress_signal instead.',
  annotations: SETS,
  input: routes.dismissDriftCheck.request,
  output: routes.dismissDriftCheck.response,
  run: (memory, input, options) => memory.dismissDriftCheck(input, options),
});
