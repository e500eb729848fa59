import type { CommandParts } from './command.ts';
import type { InstallScope } from './hosts.ts';

/** A host that takes our hooks as files of their own, not as lines in its settings. */
export interface FileHost {
  readonly id: string;
  /** Writes the files, in the place of former ones, and answers their paths. */
  write(parts: Omit<CommandParts, 'framework'>, scope: InstallScope): readonly string[];
  remove(scope: InstallScope): void;
  /** The file that says that they are there, and whether what it runs is there, too. */
  find(scope: InstallScope): { readonly file: string; readonly scriptExists: boolean } | undefined;
  /** What the user has to know or do. */
  readonly notes: readonly string[];
}
