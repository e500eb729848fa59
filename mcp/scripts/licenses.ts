import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/**
 * The licence texts of the packages that bundled files come from, as their licences ask.
 *
 * @param files Relative to `folder`.
 */
export async function licensesOf(folder: string, files: readonly string[]): Promise<string> {
  const folders = new Set(
    files.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
  );
  const texts = await Promise.all([...folders].sort().map(async (name) => licenseOf(resolve(folder, name))));
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

async function licenseOf(path: string): Promise<string> {
  const name = (await readdir(path)).find((entry) => /^licen[cs]e/i.test(entry));
  const { name: pkg, version, license } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'));
  const text = name === undefined ? String(license) : await readFile(join(path, name), 'utf8');
  return `${pkg} ${version}\n\n${text.trim()}\n`;
}
