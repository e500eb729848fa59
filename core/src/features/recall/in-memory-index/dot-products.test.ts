import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import wabt from 'wabt';
import { DotProducts, STRIDE } from './dot-products.ts';

const asset = (name: string) => new URL(`../../../../assets/dot-products.${name}`, import.meta.url);

it('The compiled module is that of the source beside it', async () => {
  const { parseWat } = await wabt();
  const source = await readFile(asset('wat'), 'utf8');
  const { buffer } = parseWat('dot-products.wat', source, { simd: true }).toBinary({});
  expect(Buffer.from(buffer).equals(await readFile(asset('wasm')))).toBe(true);
});

it.each([STRIDE, 3 * STRIDE, 256])('Products of vectors of %i numbers are those of a plain loop', (width) => {
  const products = new DotProducts();
  const query = Float32Array.from({ length: width }, (_, n) => Math.sin(n + 1));
  const step = products.setQuery(query);
  // An odd number of them: two are multiplied in one pass.
  const vectors = Int16Array.from({ length: 7 * width }, (_, n) => ((n * 7_919) % 32_749) - 16_374);
  const found = [...products.of(vectors, width).subarray(0, 7)];
  for (const [place, product] of found.entries()) {
    let sum = 0;
    for (let n = 0; n < width; n += 1) {
      sum += Math.round((query[n] ?? 0) / step) * (vectors[place * width + n] ?? 0);
    }
    expect(Math.abs(product - sum)).toBeLessThanOrEqual(Math.abs(sum) * 1e-6 + 1e5);
  }
});
