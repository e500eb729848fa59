import { readFile } from 'node:fs/promises';

/** Version of this package; its manifest is at the same relative place from `src` and `dist`. */
export async function packageVersion(): Promise<string> {
  const manifest: { version: string } = JSON.parse(
    await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}
