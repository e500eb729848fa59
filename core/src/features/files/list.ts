import type { Operation } from '../../kernel/context/context.ts';
import type { fileRoutes } from './contract.ts';
import { listFiles } from './tree.ts';

/** Lists the files below a folder by path. */
export const files: Operation<typeof fileRoutes.files> = (context, { path }) =>
  context.read(async (tx) => ({ files: await listFiles(tx, context, path) }));
