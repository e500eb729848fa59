import { routes } from '../contract/index.ts';
import { ADDS, defineTool } from './tool.ts';

export const boot = defineTool({
  name: 'svc_boot',
  title: 'Boot: restore who you are',
  description:
    'Returns who you are, what you are working on and what you know, as one text within your token budget. Call it first in every session, and again whenever you notice that your context was lost or compacted, before you answer anything. Give context_hint (the topic at hand) to have fitting memories included. It issues a new session key; with preview: true nothing changes and the key is redacted.',
  annotations: ADDS,
  input: routes.boot.request,
  output: routes.boot.response,
  run: (memory, input, options) => memory.boot(input, options),
  text: ({ injection }) => injection,
});
