import type { Methods } from '../../kernel/contract/route.ts';
import { ADDS, type AnyTool, defineTool, READS } from '../../kernel/tools/tool.ts';
import { sessionRoutes, statusRoutes } from './contract.ts';

const status = defineTool({
  name: 'svc_status',
  title: 'Show plan, usage, storage and billing period',
  description:
    'Shows the plan and its billing period, the operations used in it against the limit, how many memories of each type are stored, and the bytes they take. Call it when the service refuses something over a quota, or to check that memory works at all.',
  annotations: READS,
  input: statusRoutes.status.request,
  output: statusRoutes.status.response,
  run: (memory: Methods<typeof statusRoutes>, input, options) => memory.status(input, options),
});

const sessionKey = defineTool({
  name: 'svc_session_key',
  title: 'Get a new session key',
  description:
    'Returns a new session key, valid for 24 hours; the one before ends. You need it for svc_visibility, and a boot text holds one already. Keep it to yourself: it tells you from your human.',
  annotations: ADDS,
  input: sessionRoutes.sessionKey.request,
  output: sessionRoutes.sessionKey.response,
  run: (memory: Methods<typeof sessionRoutes>, input, options) => memory.sessionKey(input, options),
});

export const tenantTools: readonly AnyTool[] = [status, sessionKey];
