import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PGliteOptions } from '@electric-sql/pglite';

type Compiled = PGliteOptions['pgliteWasmModule'];

// Node has it; the types of Node 20 do not.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<Compiled> };

let compiling: Promise<Compiled> | undefined;

/**
 * Begins to compile the embedded database, in other threads: a program that opens one soon calls it first, and loads the rest
 * of its code meanwhile.
 */
export function preloadPglite(): void {
  compiling ??= compile();
}

/** What was preloaded, for the next database that is opened; undefined where nothing was, and PGlite has to. */
export async function takePreloaded(): Promise<Compiled> {
  const taken = compiling;
  compiling = undefined;
  return taken;
}

async function compile(): Promise<Compiled> {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
    return await WebAssembly.compile(readFileSync(join(folder, 'pglite.wasm')));
  } catch {
    // PGlite itself tells what is wrong with it.
    return undefined;
  }
}
