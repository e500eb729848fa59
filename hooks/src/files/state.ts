import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnFile } from './plain-file.ts';
import { makeFolders, makePrivateFolder, writeFileAtomically } from './write-file.ts';

/** How far the clocks of a file system and of this machine may be apart. */
const CLOCKS_MS = 1_000;
const FORGOTTEN_MS = 30 * 86_400_000;

/**
 * What hooks remember between two firings: one small file for each fact, written atomically. Of two hooks that race, the
 * last one's fact stays; whatever depends on it may be done twice.
 */
export interface HookState {
  read(name: string): string | undefined;
  write(name: string, value: string): void;
  remove(name: string): void;
  /** Milliseconds since a fact was written; undefined where there is none. */
  age(name: string): number | undefined;
  /** Whether a fact was written within the last milliseconds; one from the future is of a clock that was set back since. */
  isRecent(name: string, milliseconds: number): boolean;
  /** Removes facts older than 30 days. */
  forgetOld(): void;
}

/**
 * Opens the state in a folder, which is made where it is missing.
 *
 * @param onFailure Called once when the folder cannot be written; hooks then work without memory of earlier firings.
 */
export function openState(home: string, onFailure: (error: unknown) => void): HookState {
  const folder = join(home, 'hooks');
  let failed = false;
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!failed) onFailure(error);
      failed = true;
    }
  };
  attempt(() => {
    makePrivateFolder(home);
    makeFolders(folder);
  });
  const ageOf = (path: string) => {
    try {
      return Date.now() - statSync(path).mtimeMs;
    } catch {
      return undefined;
    }
  };
  return {
    read: (name) => readOwnFile(join(folder, name)),
    write: (name, value) => attempt(() => writeFileAtomically(join(folder, name), value, { durable: false })),
    remove: (name) => attempt(() => rmSync(join(folder, name), { force: true })),
    age: (name) => ageOf(join(folder, name)),
    isRecent: (name, milliseconds) => {
      const age = ageOf(join(folder, name));
      return age !== undefined && age >= -CLOCKS_MS && age < milliseconds;
    },
    forgetOld: () =>
      attempt(() => {
        for (const name of readdirSync(folder)) {
          const path = join(folder, name);
          const isFact = /^(?:read|recover|said|seen|told|transcript|watched)-|\.tmp$/.test(name);
          if (isFact && (ageOf(path) ?? 0) > FORGOTTEN_MS) rmSync(path, { force: true });
        }
      }),
  };
}

/** A file name for a fact about something with any name. */
export function factName(
  kind: 'own' | 'read' | 'recover' | 'said' | 'seen' | 'told' | 'transcript' | 'watched',
  ...about: readonly string[]
): string {
  const hash = createHash('sha256').update(JSON.stringify(about)).digest('hex');
  return `${kind}-${hash.slice(0, 32)}`;
}
