import { claudeCodeFramework } from './claude-code.ts';
import { codexFramework } from './codex.ts';
import { cursorFramework } from './cursor.ts';
import type { HookFramework } from './framework.ts';
import { geminiCliFramework } from './gemini-cli.ts';
import { genericFramework } from './generic.ts';

/** OpenCode: https://opencode.ai. Its plugin, in `src/opencode`, fires the hooks. */
const openCodeFramework: HookFramework = { ...genericFramework, id: 'opencode' };

/** Every supported host. */
export const frameworks: readonly HookFramework[] = [
  claudeCodeFramework,
  codexFramework,
  geminiCliFramework,
  cursorFramework,
  openCodeFramework,
  genericFramework,
];
