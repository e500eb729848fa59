import type { Methods } from '../../kernel/contract/route.ts';
import { type AnyTool, defineTool, READS } from '../../kernel/tools/tool.ts';
import { setupRoutes } from './contract.ts';

const script = defineTool({
  name: 'svc_script',
  title: 'Get the setup steps for a framework',
  description:
    'Returns the exact steps that connect an agent framework (Claude Code, Cursor, Codex and others), so that memory is saved before a compaction and delivered at session start. Call it when your human asks how to set this up, or when you notice that boots do not reach you by themselves.',
  annotations: READS,
  input: setupRoutes.setupScript.request,
  output: setupRoutes.setupScript.response,
  run: (memory: Methods<typeof setupRoutes>, input, options) => memory.setupScript(input, options),
  text: ({ script }) => script,
});

export const setupTools: readonly AnyTool[] = [script];
