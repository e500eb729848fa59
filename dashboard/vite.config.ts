import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const TEXT = /\.(?:css|js|svg)$/;
const SMALL = 1_024;

/** Writes each file compressed beside itself, so that the server only hands it over. */
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
            const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
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

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressed()],
  html: { cspNonce: '{{nonce}}' },
  build: {
    target: 'es2022',
    // Nothing may be loaded from data: URLs except pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/auth': 'http://127.0.0.1:3000' } },
});
