import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { i18n } from '@lingui/core';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, runnerImport } from 'vite';
import { translations } from './translations.ts';

const TEXT = /\.(?:css|js|svg)$/;
const SMALL = 1_024;
/** What only pages with forms and dialogs take from libraries: the first page has none until somebody opens one. */
const FORMS =
  /node_modules\/(?:@mantine\/form|klona|fast-deep-equal|@mantine\/core\/esm\/components\/(?:Combobox|Select|Autocomplete|Input(?:Base)?|TextInput|PasswordInput|Textarea|Modal(?:Base)?))\//;

/** Writes a compressed copy beside each file, so that the server does not compress at request time. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const texts = Object.values(bundle).filter(({ fileName }) => TEXT.test(fileName));
        await Promise.all(
          texts.map(async (file) => {
            const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
            if (source.length < SMALL) return;
            const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
            const brotli = await promisify(brotliCompress)(source, { params });
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotli });
            this.emitFile({
              type: 'asset',
              fileName: `${file.fileName}.gz`,
              source: await promisify(gzip)(source),
            });
          }),
        );
      },
    },
  };
}

/** Replaces style sheets by nothing, so that the sources run outside a browser. */
const withoutStyles: Plugin = {
  name: 'without-styles',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.css') ? '\0style' : undefined),
  load: (id) => (id === '\0style' ? 'export default {}' : undefined),
};

/** Writes `pages.json`: the paths of all pages. The service opens the dashboard at these paths. */
function pagePaths(): Plugin {
  return {
    name: 'page-paths',
    apply: 'build',
    async generateBundle() {
      const list = join(import.meta.dirname, 'src/app/pages.ts');
      i18n.activate('en');
      const { module } = await runnerImport<typeof import('./src/app/pages.ts')>(list, {
        plugins: [translations(), withoutStyles],
      });
      const paths = [...module.PAGES, ...module.VISITOR_PAGES].map(({ path }) => path);
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(paths) });
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [translations(), react(), compressed(), pagePaths()],
  html: { cspNonce: '{{nonce}}' },
  build: {
    target: 'es2022',
    // The Content-Security-Policy allows data: URLs for pictures only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    // What several pages take from libraries is one file, and what forms take another: many small ones take more requests, and
    // are compressed each by itself. The dashboard's own modules stay out, as they may be loaded only after the language.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'libraries',
              test: (id) => id.includes('node_modules') && !FORMS.test(id),
              minShareCount: 4,
              priority: 1,
            },
            { name: 'forms', test: FORMS, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/auth': 'http://127.0.0.1:3000' } },
});
