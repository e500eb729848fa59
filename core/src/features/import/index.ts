import { defineFeature } from '../../kernel/feature.ts';
import { MINUTE_MS } from '../../kernel/runtime/durations.ts';
import { importRoutes } from './contract.ts';
import { importMemories } from './import.ts';
import { importHandler } from './import-handler.ts';
import { eraseOrigins } from './origins.ts';
import { importChunks, importFiles, importOrigins } from './schema.ts';
import { forgetUploads } from './spool.ts';

export const importFeature = defineFeature({
  name: 'import',
  routes: importRoutes,
  operations: {
    import: importMemories,
  },
  tables: [importFiles, importChunks, importOrigins],
  tasks: () => [
    { name: 'import.forget-uploads', everyMs: 10 * MINUTE_MS, deletesByAge: true, run: forgetUploads },
  ],
  jobs: [importHandler],
  erase: eraseOrigins,
});
