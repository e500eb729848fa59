import { routes } from '../contract/index.ts';
import { ADDS, defineTool } from './tool.ts';

export const sessionKey = defineTool({
  name: 'svc_session_key',
  title: 'Get a new session key',
  description:
    'Returns a new session key, valid for 24 hours; the one before ends. You need it for svc_visibility, and a boot text holds one already. Keep it to yourself: it tells you from your human.',
  annotations: ADDS,
  input: routes.sessionKey.request,
  output: routes.sessionKey.response,
  run: (memory, input, options) => memory.sessionKey(input, options),
});
