import { routes } from '../contract/index.ts';
import { defineTool, SETS } from './tool.ts';

export const syncCore = defineTool({
  name: 'svc_sync_core',
  title: 'Sync your core files',
  description:
    'Stores the markdown files that say who you are and how you work (SOUL.md, IDENTITY.md, USER.md, AGENTS.md, TOOLS.md and the like), one core memory per section. The file name decides the category, or headings such as "# Soul" where the name says none. Send each file whole: sections that are gone are archived. Changes to soul and identity wait with the Guardian; the answer counts them as queued. Call it after such a file changed.',
  annotations: SETS,
  input: routes.syncCore.request,
  output: routes.syncCore.response,
  run: (memory, input, options) => memory.syncCore(input, options),
});
