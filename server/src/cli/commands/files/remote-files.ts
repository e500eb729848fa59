import { type AgentMemory, type Output, SvcError } from '@svc-memory/core/contract';
import type { RemoteVersion } from './decide.ts';
import { hashOf, type LocalFiles } from './local-folder.ts';
import type { FileState, SyncState } from './sync-state.ts';

export type RemoteMemory = Output<'get'>['memory'];

/** What a sync asks the service about the memories that files are. It changes nothing there. */
export class RemoteFiles {
  readonly #memory: AgentMemory;
  readonly #folder: string;

  /** @param folder The folder of the memory, such as `/memories`. */
  constructor(memory: AgentMemory, folder: string) {
    this.#memory = memory;
    this.#folder = folder;
  }

  pathOf(name: string): string {
    return `${this.#folder}/${name}`;
  }

  keyOf(name: string): string {
    return this.pathOf(name).replace(/^\/memories\//, 'files/');
  }

  /** Whether the memory of a file is active under its path: a file that was deleted there is made anew. */
  async isAt(id: string, name: string): Promise<boolean> {
    const found = await this.find(id);
    return typeof found === 'object' && found.key === this.keyOf(name);
  }

  /** A memory by its id; `archived` where it can be restored, `unknown` where the service does not have it. */
  async find(id: string): Promise<RemoteMemory | 'archived' | 'unknown'> {
    try {
      return (await this.#memory.get({ id })).memory;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return error.details && 'archived_at' in error.details ? 'archived' : 'unknown';
    }
  }

  /** How it stands with a change that the Guardian was asked about; `unknown` where the service has no such entry. */
  async statusOf(id: string): Promise<Output<'guardianEntry'>['entry']['status'] | 'unknown'> {
    try {
      return (await this.#memory.guardianEntry({ id })).entry.status;
    } catch (error) {
      if (isNotFound(error)) return 'unknown';
      throw error;
    }
  }

  /**
   * Whether the service has what was synced, as the present version of a memory or a former one: it can be brought back there
   * then. One that was restored from an older backup may have counted on from there with other texts.
   */
  async has({ id = '', version = 0, updatedAt, hash, partial }: FileState): Promise<boolean> {
    const history = await this.#history(id);
    if (!history || history.memory.version < version) return false;
    const synced = history.versions.find((one) => one.version === version);
    // Former versions may be withheld from this key. They are there nevertheless.
    if (!synced) return true;
    if (updatedAt !== undefined) return synced.at === updatedAt;
    return partial === true || hashOf(synced.content) === hash;
  }

  /**
   * Notes the time of versions of which the state has only the number, where they say what was synced: the state of a former
   * release has no times.
   */
  async noteTimes(
    state: SyncState,
    local: LocalFiles,
    listed: ReadonlyMap<string, RemoteVersion>,
  ): Promise<void> {
    for (const [name, { id, version, updated_at: updatedAt }] of listed) {
      const base = state.files.get(name);
      if (base?.updatedAt !== undefined || base?.id !== id || base.version !== version) continue;
      // What was sent without its secrets says something else there: it cannot be told from another text.
      if (base.partial || (await this.#says(id, base, local.files.get(name)))) {
        state.files.set(name, { ...base, updatedAt });
      }
    }
  }

  async #history(id: string): Promise<Output<'history'> | undefined> {
    try {
      return await this.#memory.history({ id });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #says(
    id: string,
    { hash }: FileState,
    local: { readonly hash: string; readonly text: string } | undefined,
  ): Promise<boolean> {
    const found = await this.find(id);
    if (typeof found !== 'object') return false;
    // A byte order mark is in the hash of a file, and not in its text.
    return hashOf(found.content) === hash || (local?.hash === hash && local?.text === found.content);
  }
}

function isNotFound(error: unknown): error is SvcError {
  return error instanceof SvcError && error.code === 'NOT_FOUND';
}
