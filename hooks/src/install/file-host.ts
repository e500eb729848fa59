import type { CommandParts } from './command.ts';
import type { InstallScope } from './hosts.ts';

/** A host that takes our hooks as files of their own, not as lines in its settings. */
export interface FileHost {
  readonly id: string;
  /** Writes the files, in the place of former ones, and answers their paths. */
  write(parts: Omit<CommandParts, 'framework'>, scope: InstallScope): readonly string[];
  /** The files, the one that says that the hooks are there first. */
  files(scope: InstallScope): readonly string[];
  /** What the files run. */
  readonly script: string;
  /** What the user has to know or do. */
  readonly notes: readonly string[];
}
