import type { HookFramework } from './framework.ts';
import { genericFramework } from './generic.ts';

/** OpenCode: https://opencode.ai. Its plugin, in `src/opencode`, fires the hooks. */
export const openCodeFramework: HookFramework = { ...genericFramework, id: 'opencode' };
