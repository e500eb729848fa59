import { defineFeature } from '../../kernel/feature.ts';
import { fileRoutes } from './contract.ts';
import { fileCommand, files } from './file-command.ts';

/**
 * Memory as files: one tree at `/memories` that agents read and write by the commands of Anthropic's memory tool.
 *
 * A file is one memory. Its key is `files/` and the path below `/memories`; its type is what its folder says (`kindOfPath`).
 * So there is no table here: every edit is a version, recall finds files, undo takes edits back, a deleted file is an
 * archived memory, the human sees what visibility lets them see, and the Guardian keeps `/memories/soul` and
 * `/memories/identity`. A folder is there as long as it holds a file. Core memories that no command made are shown in the
 * folder of their category under their id: their text can be edited, their name stays.
 */
export const filesFeature = defineFeature({
  name: 'files',
  routes: fileRoutes,
  operations: { files, fileCommand },
});
