import { readFile } from 'node:fs/promises';
import { SvcError } from '@svc-memory/core/contract';

/** A feature whose packages are large and come only with who wants it. */
interface OptionalFeature {
  /** Name of the feature, the subject of a sentence. */
  readonly feature: string;
  /** Names of the packages, optional peer dependencies of this one. */
  readonly packages: readonly string[];
}

/**
 * Loads the code of a feature.
 *
 * @throws SvcError `UNAVAILABLE` that names the packages to install, where one of them is missing.
 */
export async function loadOptional<Module>(
  { feature, packages }: OptionalFeature,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (!packages.some((name) => isMissing(error, name))) throw error;
    const wanted = await withVersions(packages);
    throw new SvcError(
      'UNAVAILABLE',
      `${feature} needs packages that are not installed. Install them beside svc-memory: npm install ${wanted.join(' ')}`,
    );
  }
}

function isMissing(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND') &&
    error.message.includes(`'${name}`)
  );
}

/** The packages with the versions that this release works with. */
async function withVersions(packages: readonly string[]): Promise<string[]> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  const { peerDependencies }: { peerDependencies: Readonly<Record<string, string>> } = JSON.parse(manifest);
  return packages.map((name) => `${name}@${peerDependencies[name]}`);
}
