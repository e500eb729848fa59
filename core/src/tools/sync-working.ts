import { routes } from '../contract/index.ts';
import { defineTool, SETS } from './tool.ts';

export const syncWorking = defineTool({
  name: 'svc_sync_working',
  title: 'Sync your working-memory file',
  description:
    'Makes the stored working memory equal to a markdown document: your notes, plan or task list as it is now. Long documents are split at their headings. Call it after you changed that file, and before a compaction. The same document again changes nothing; parts that are gone from it are archived.',
  annotations: SETS,
  input: routes.syncWorking.request,
  output: routes.syncWorking.response,
  run: (memory, input, options) => memory.syncWorking(input, options),
});
