import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readOwnFile } from '../files/plain-file.ts';
import { factName } from '../files/state.ts';
import { makeFolders, writeFileAtomically } from '../files/write-file.ts';

/** Remembers beside what hooks save which parts of a settings file were there before our hooks, and may be empty without them. */
export class FormerParts {
  readonly #path: string;

  constructor(home: string, settings: string) {
    this.#path = join(home, 'hooks', factName('own', settings));
  }

  read(): readonly string[] {
    return readOwnFile(this.#path)?.split('\n').filter(Boolean) ?? [];
  }

  write(parts: readonly string[]): void {
    makeFolders(dirname(this.#path));
    writeFileAtomically(this.#path, parts.join('\n'), { durable: true });
  }

  forget(): void {
    rmSync(this.#path, { force: true });
  }
}
