import type { Methods } from '../../kernel/contract/route.ts';
import { type AnyTool, defineTool, SETS } from '../../kernel/tools/tool.ts';
import { syncRoutes } from './contract.ts';

const syncWorking = defineTool({
  name: 'svc_sync_working',
  title: 'Sync your working-memory file',
  description:
    'Makes the stored working memory equal to a markdown document: your notes, plan or task list as it is now. Long documents are split at their headings. Call it after you changed that file, and before a compaction. The same document again changes nothing; parts that are gone from it are archived.',
  annotations: SETS,
  input: syncRoutes.syncWorking.request,
  output: syncRoutes.syncWorking.response,
  run: (memory: Methods<typeof syncRoutes>, input, options) => memory.syncWorking(input, options),
});

const syncCore = defineTool({
  name: 'svc_sync_core',
  title: 'Sync your core files',
  description:
    'Stores the markdown files that say who you are and how you work (SOUL.md, IDENTITY.md, USER.md, AGENTS.md, TOOLS.md and the like), one core memory per section. The file name decides the category, or headings such as "# Soul" where the name says none. Send each file whole: sections that are gone are archived. Soul and identity, new or changed, wait for your human with the Guardian; the answer counts them as queued. Call it after such a file changed.',
  annotations: SETS,
  input: syncRoutes.syncCore.request,
  output: syncRoutes.syncCore.response,
  run: (memory: Methods<typeof syncRoutes>, input, options) => memory.syncCore(input, options),
});

export const syncTools: readonly AnyTool[] = [syncWorking, syncCore];
