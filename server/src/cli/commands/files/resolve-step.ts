import type { AgentMemory } from '@svc-memory/core/contract';
import type { Step } from './decide.ts';
import {
  broughtBack,
  type Done,
  deletedThere,
  isProtectedCopy,
  isProtectedPath,
  keptBoth,
  WAITS,
} from './done.ts';
import { ChangedError, hashOf, type LocalFile, type LocalFiles } from './local-folder.ts';
import type { RemoteFiles, RemoteMemory } from './remote-files.ts';
import type { FileState, SyncState } from './sync-state.ts';

/** What one sync works with: its two sides, and what each held when it began. */
export interface Sync {
  readonly memory: AgentMemory;
  /** The folder, as an absolute path without links. */
  readonly root: string;
  readonly local: LocalFiles;
  readonly remote: RemoteFiles;
  readonly state: SyncState;
  /** Told of each file as it is done. */
  readonly tell: (done: Done) => void;
}

/** What a sync does about one path, once everything is known that can be known before. */
export type Action =
  | { readonly kind: 'forget' }
  /** `base` is what the service has of it. */
  | { readonly kind: 'delete there'; readonly base: FileState }
  | { readonly kind: 'delete here'; readonly local: LocalFile }
  /** `base` is what the service has of it. */
  | { readonly kind: 'send'; readonly local: LocalFile; readonly base: FileState }
  | { readonly kind: 'fetch'; readonly id: string; readonly local: LocalFile | undefined }
  /** Both say the same, which is noted. */
  | { readonly kind: 'note'; readonly local: LocalFile; readonly memory: RemoteMemory }
  | { readonly kind: 'keep both'; readonly local: LocalFile; readonly memory: RemoteMemory }
  /** Nothing can be done but to say why. */
  | { readonly kind: 'tell'; readonly done: Done };

/** Finds out what steps come to, by reading only: a dry run says by it what the real one does. */
export class Resolver {
  readonly #sync: Sync;

  constructor(sync: Sync) {
    this.#sync = sync;
  }

  /**
   * @param id Of the memory that the file is; undefined: there is none.
   * @throws ChangedError where the memory is not what it was when it was listed.
   */
  async resolve(step: Step, name: string, id: string | undefined): Promise<Action> {
    const local = this.#sync.local.files.get(name);
    const base = this.#sync.state.files.get(name) ?? {};
    if (step === 'delete there') return { kind: step, base };
    if (step === 'delete here' && local) return this.#deleteHere(local, base);
    if (step === 'fetch' && id !== undefined) return this.#fetch(id, local, base);
    if (step === 'compare' && id !== undefined && local) return this.#compare(id, local, base);
    if ((step === 'create' || step === 'update') && local) return this.#send(local, base);
    return { kind: 'forget' };
  }

  async #deleteHere(local: LocalFile, base: FileState): Promise<Action> {
    const found = await this.#sync.remote.find(base.id ?? '');
    if (typeof found === 'object' && found.key === this.#sync.remote.keyOf(local.path)) {
      throw new ChangedError('came back meanwhile');
    }
    // A service that lost its memories, as one restored from an old backup, gets them again.
    const isLost = found === 'unknown' || !(await this.#sync.remote.has(base));
    return isLost ? this.#send(local, {}) : { kind: 'delete here', local };
  }

  /** What is written over has to be there in the memory, which keeps former versions. */
  async #fetch(id: string, local: LocalFile | undefined, base: FileState): Promise<Action> {
    const unchanged = await this.#unchanged(id, base);
    if (unchanged) {
      return local
        ? { kind: 'note', local, memory: unchanged }
        : { kind: 'delete there', base: { ...base, version: unchanged.version } };
    }
    if (local && !(await this.#sync.remote.has(base))) return this.#compare(id, local, base);
    return { kind: 'fetch', id, local };
  }

  async #compare(id: string, local: LocalFile, base: FileState): Promise<Action> {
    const unchanged = await this.#unchanged(id, base);
    if (unchanged && local.hash !== base.hash) {
      return this.#send(local, { ...base, version: unchanged.version });
    }
    const { memory } = await this.#sync.memory.get({ id });
    return { kind: memory.content === local.text ? 'note' : 'keep both', local, memory };
  }

  /** The memory that was synced, where it has another version since something else than its text was changed, as its importance. */
  async #unchanged(id: string, { id: synced, hash, partial }: FileState): Promise<RemoteMemory | undefined> {
    if (id !== synced || hash === undefined || partial) return undefined;
    const { memory } = await this.#sync.memory.get({ id });
    return hashOf(memory.content) === hash ? memory : undefined;
  }

  async #send(local: LocalFile, base: FileState): Promise<Action> {
    const { path, hash } = local;
    const { waiting } = base;
    const stays = waiting?.hash === hash ? await this.#whileWaiting(path, waiting.entry) : undefined;
    if (stays) return { kind: 'tell', done: stays };
    if (isProtectedCopy(this.#sync.remote.pathOf(path))) {
      const note = 'is the copy of a protected file: join the two by hand';
      return { kind: 'tell', done: { what: 'left out', path, note } };
    }
    return { kind: 'send', local, base };
  }

  /** What is told of a text that the Guardian has been asked about; undefined once it may be sent. */
  async #whileWaiting(path: string, id: string): Promise<Done | undefined> {
    const status = await this.#sync.remote.statusOf(id);
    // A service that was restored from a backup may not know that it was asked.
    if (status === 'unknown') return undefined;
    if (['cooling', 'waiting'].includes(status)) return { what: 'waits', path, note: WAITS };
    if (!['rejected', 'withdrawn'].includes(status)) return undefined;
    const note = `was ${status}: edit it, or delete it here to get back what the memory says`;
    return { what: 'left out', path, note };
  }
}

/** What an action is going to come to, as it is told before. */
export function intended(action: Action, name: string, path: string): Done | undefined {
  switch (action.kind) {
    case 'send':
      return intendedSend(action.base, name, path);
    case 'fetch':
      return { what: 'fetched', path: name };
    case 'keep both':
      return keptBoth(action.local);
    case 'delete here':
      return { what: 'deleted here', path: name };
    case 'delete there':
      return isProtectedPath(path) ? broughtBack(name) : deletedThere(name);
    case 'tell':
      return action.done;
    default:
      return undefined;
  }
}

/** New files that say who the agent is wait; of a change the Guardian may think that it need not. */
function intendedSend({ id }: FileState, name: string, path: string): Done {
  if (!isProtectedPath(path)) return { what: 'sent', path: name };
  if (id === undefined) return { what: 'waits', path: name, note: WAITS };
  return { what: 'sent', path: name, note: 'or waits for your human (Guardian)' };
}
