import { routes } from '../contract/index.ts';
import { defineTool, READS } from './tool.ts';

export const script = defineTool({
  name: 'svc_script',
  title: 'Get the setup steps for a framework',
  description:
    'Returns the exact steps that connect an agent framework (Claude Code, Cursor, Codex and others), so that memory is saved before a compaction and delivered at session start. Call it when your human asks how to set this up, or when you notice that boots do not reach you by themselves.',
  annotations: READS,
  input: routes.setupScript.request,
  output: routes.setupScript.response,
  run: (memory, input, options) => memory.setupScript(input, options),
  text: ({ script }) => script,
});
