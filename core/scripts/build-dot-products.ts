import { readFile, writeFile } from 'node:fs/promises';
import wabt from 'wabt';

const asset = (name: string) => new URL(`../assets/dot-products.${name}`, import.meta.url);

/** Compiles assets/dot-products.wat to the .wasm beside it: `npx tsx core/scripts/build-dot-products.ts`. */
const { parseWat } = await wabt();
const module = parseWat('dot-products.wat', await readFile(asset('wat'), 'utf8'), { simd: true });
await writeFile(asset('wasm'), module.toBinary({}).buffer);
