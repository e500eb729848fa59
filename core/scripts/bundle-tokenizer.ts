import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const ENCODING = 'gpt-tokenizer/encoding/o200k_base';

// The package of the tokenizer holds the tables of all models, ten times what is used. The bundle is CommonJS, which can
// be loaded without waiting when it is first needed.
await build({
  stdin: { contents: `export { countTokens } from '${ENCODING}';`, resolveDir: PACKAGE },
  outfile: join(PACKAGE, 'bundle/o200k_base.cjs'),
  bundle: true,
  minify: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  logLevel: 'warning',
});
await copyFile(
  fileURLToPath(new URL('../../LICENSE', import.meta.resolve(ENCODING))),
  join(PACKAGE, 'bundle/LICENSE-gpt-tokenizer.txt'),
);
