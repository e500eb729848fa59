import { routes } from '../contract/index.ts';
import { defineTool, READS } from './tool.ts';

export const status = defineTool({
  name: 'svc_status',
  title: 'Show plan, usage and number of memories',
  description:
    'Shows the plan, the operations used this month against the limit, and how many memories of each type are stored. Call it when the service refuses something over a quota, or to check that memory works at all.',
  annotations: READS,
  input: routes.status.request,
  output: routes.status.response,
  run: (memory, input, options) => memory.status(input, options),
});
