import { type AgentMemory, SvcError } from '@svc-memory/core/contract';
import { decide, ORDER, type RemoteVersion, type Step } from './decide.ts';
import { broughtBack, copyName, type Done, deletedThere, failed, keptBoth, WAITS } from './done.ts';
import {
  ChangedError,
  hashOf,
  type LocalFile,
  type LocalFiles,
  readFolder,
  removeFile,
  writeText,
} from './local-folder.ts';
import { RemoteFiles, type RemoteMemory } from './remote-files.ts';
import { type Action, intended, Resolver, type Sync } from './resolve-step.ts';
import { type FileState, loadState, type SyncState, saveState } from './sync-state.ts';

/** The two sides of a sync. */
export interface SyncSides {
  readonly memory: AgentMemory;
  /** The folder, as an absolute path without links. */
  readonly root: string;
  /** The folder of the memory, such as `/memories`. */
  readonly path: string;
}

/** Files after which the state is written: a sync that is killed compares the others again. */
const STEPS_A_STATE = 25;

/**
 * Makes a folder and a folder of the memory equal, once. Killed at any moment it has lost nothing: each step leaves both sides
 * so that the next sync finds it done or does it.
 *
 * @param tell Told of each file as it is done.
 * @throws SvcError where the service cannot be used; what was done by then stays done.
 */
export async function syncFiles(
  sides: SyncSides,
  { dryRun, tell }: { readonly dryRun: boolean; readonly tell: (done: Done) => void },
): Promise<void> {
  const { memory, root, path } = sides;
  const { tenant } = await memory.status();
  const state = await loadState(root, tenant.id, path);
  const local = await readFolder(root);
  const listed = new Map((await memory.files({ path })).files.map((file) => [below(path, file.path), file]));
  const remote = new RemoteFiles(memory, path);
  await remote.noteTimes(state, local, listed);
  const sync: Sync = { memory, root, local, remote, state, tell };
  const resolver = new Resolver(sync);
  const pass = new Pass(sync);
  for (const [name, note] of local.leftOut) tell({ what: 'left out', path: name, note });
  const takeOne = async ({ step, name }: Planned) => {
    const action = await resolver.resolve(step, name, listed.get(name)?.id);
    if (!dryRun) return pass.take(action, name);
    const done = intended(action, name, remote.pathOf(name));
    if (done) tell(done);
  };
  const save = () => {
    if (!dryRun) saveState(root, state);
  };
  try {
    for (const [index, planned] of plan(local, listed, state).entries()) {
      await takeOne(planned).catch((error: unknown) => tellFailed(planned.name, error, tell));
      if (index % STEPS_A_STATE === STEPS_A_STATE - 1) save();
    }
  } finally {
    save();
  }
}

/** What has changed meanwhile, or is refused, is told; the next pass looks at it anew. */
function tellFailed(name: string, error: unknown, tell: (done: Done) => void): void {
  const done = failed(name, error);
  if (!done) throw error;
  tell(done);
}

function below(folder: string, path: string): string {
  return path.slice(folder.length + 1);
}

interface Planned {
  readonly step: Step;
  readonly name: string;
}

function plan(local: LocalFiles, remote: ReadonlyMap<string, RemoteVersion>, state: SyncState): Planned[] {
  const names = new Set([...local.files.keys(), ...remote.keys(), ...state.files.keys()]);
  const steps = [...names].flatMap((name): Planned[] => {
    if (isLeftOut(local, name)) return [];
    const sides = {
      local: local.files.get(name)?.hash,
      remote: remote.get(name),
      base: state.files.get(name),
    };
    const step = decide(sides);
    return step === 'nothing' ? [] : [{ step, name }];
  });
  return steps.sort((one, other) => ORDER.indexOf(one.step) - ORDER.indexOf(other.step));
}

/** Whether something stands at a path, or above it, that is no file for a memory: it may be anything. */
function isLeftOut({ leftOut }: LocalFiles, name: string): boolean {
  const names = name.split('/');
  return names.some((_, index) => leftOut.has(names.slice(0, index + 1).join('/')));
}

/** Does what was resolved, on both sides. */
class Pass {
  readonly #sync: Sync;

  constructor(sync: Sync) {
    this.#sync = sync;
  }

  async take(action: Action, name: string): Promise<void> {
    switch (action.kind) {
      case 'forget':
        this.#sync.state.files.delete(name);
        return;
      case 'delete there':
        return this.#deleteThere(name, action.base);
      case 'delete here':
        return this.#deleteHere(action.local);
      case 'send':
        return this.#send(action.local, action.base);
      case 'fetch':
        await this.#fetch(name, action.id, action.local);
        return this.#sync.tell({ what: 'fetched', path: name });
      case 'note':
        return this.#note(name, action.local.hash, action.memory);
      case 'keep both':
        await this.#keepCopy(action.local);
        await this.#write(name, action.memory, action.local);
        return this.#sync.tell(keptBoth(action.local));
      case 'tell':
        return this.#sync.tell(action.done);
    }
  }

  async #send({ path, hash, text }: LocalFile, base: FileState): Promise<void> {
    const { entry, isPartial, ...stored } = await this.#store(path, text, base);
    if (entry !== undefined) {
      this.#sync.state.files.set(path, { ...base, waiting: { hash, entry } });
      this.#sync.tell({ what: 'waits', path, note: WAITS });
      return;
    }
    this.#sync.state.files.set(path, { hash, ...stored, ...(isPartial ? { partial: true } : {}) });
    this.#sync.tell({ what: 'sent', path, ...(isPartial ? { note: 'secrets were taken out there' } : {}) });
  }

  async #store(name: string, text: string, { id, version }: FileState) {
    const { memory } = this.#sync;
    if (id !== undefined && version !== undefined && (await this.#sync.remote.isAt(id, name))) {
      const {
        memory: stored,
        entry,
        redacted,
      } = await memory.update({ id, content: text }, { ifMatch: version });
      return { ...versionOf(stored), entry: entry?.id, isPartial: redacted !== undefined };
    }
    const {
      file,
      entry,
      text: said,
      redacted,
    } = await memory.fileCommand({
      command: 'create',
      path: this.#sync.remote.pathOf(name),
      file_text: text,
    });
    if (!file && !entry) throw new SvcError('FORBIDDEN', said);
    return { ...(file && versionOf(file)), entry: entry?.id, isPartial: redacted !== undefined };
  }

  async #deleteThere(name: string, { id = '', version }: FileState): Promise<void> {
    try {
      const { outcome } = await this.#sync.memory.fileCommand(
        { command: 'delete', path: this.#sync.remote.pathOf(name) },
        { ifMatch: version },
      );
      if (outcome === 'queued')
        return this.#sync.tell({ what: 'waits', path: name, note: `the deletion ${WAITS}` });
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'FORBIDDEN') throw error;
      await this.#fetch(name, id, undefined);
      return this.#sync.tell(broughtBack(name));
    }
    this.#sync.state.files.delete(name);
    this.#sync.tell(deletedThere(name));
  }

  async #deleteHere(local: LocalFile): Promise<void> {
    if (this.#isPartial(local)) await this.#keepCopy(local);
    await removeFile(this.#sync.root, local);
    this.#sync.state.files.delete(local.path);
    this.#sync.tell({ what: 'deleted here', path: local.path });
  }

  async #fetch(name: string, id: string, local: LocalFile | undefined): Promise<void> {
    const { memory } = await this.#sync.memory.get({ id });
    if (local && this.#isPartial(local)) await this.#keepCopy(local);
    await this.#write(name, memory, local);
  }

  async #write(name: string, memory: RemoteMemory, local: LocalFile | undefined): Promise<void> {
    if (memory.key !== this.#sync.remote.keyOf(name)) throw new ChangedError('was renamed meanwhile');
    await writeText(this.#sync.root, name, memory.content, local);
    this.#note(name, hashOf(memory.content), memory);
  }

  #note(name: string, hash: string, memory: RemoteMemory): void {
    this.#sync.state.files.set(name, { hash, ...versionOf(memory) });
  }

  /** Whether the memory lacks secrets that a file has. */
  #isPartial({ path }: LocalFile): boolean {
    return this.#sync.state.files.get(path)?.partial === true;
  }

  /** Keeps a file under another name, which says nothing new if it is there already. */
  async #keepCopy(local: LocalFile): Promise<void> {
    const copy = copyName(local);
    if (this.#sync.local.files.get(copy)?.hash === local.hash) return;
    await writeText(this.#sync.root, copy, local.text, this.#sync.local.files.get(copy));
  }
}

function versionOf({ id, version, updated_at: updatedAt }: RemoteVersion) {
  return { id, version, updatedAt };
}
