import { defineFeature } from '../../kernel/feature.ts';
import { importRoutes } from './contract.ts';
import { forgetUploads } from './forget-uploads.ts';
import { importMemories } from './import.ts';
import { importHandler } from './import-handler.ts';
import { eraseOrigins } from './origins.ts';
import { importChunks, importFiles, importOrigins } from './schema.ts';

const MINUTE = 60_000;

export const importFeature = defineFeature({
  name: 'import',
  routes: importRoutes,
  operations: {
    import: importMemories,
  },
  tables: [importFiles, importChunks, importOrigins],
  tasks: () => [
    { name: 'import.forget-uploads', everyMs: 10 * MINUTE, deletesByAge: true, run: forgetUploads },
  ],
  jobs: [importHandler],
  erase: eraseOrigins,
});
