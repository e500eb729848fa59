// Loaded before a program by `--import`: a new database in memory is then a copy of a migrated one, in a tenth of the time.
import { PGlite } from '@electric-sql/pglite';
import { readTemplate } from '../../core/dist/testing/template.js';

const template = await readTemplate();
const create = PGlite.create.bind(PGlite);

PGlite.create = (options) => {
  const isNew = options?.dataDir === undefined && options?.loadDataDir === undefined;
  return create(isNew ? { ...options, loadDataDir: template } : options);
};
