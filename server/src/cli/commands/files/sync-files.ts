import { type AgentMemory, type Output, SvcError } from '@svc-memory/core/contract';
import { decide, ORDER, type Step } from './decide.ts';
import {
  ChangedError,
  hashOf,
  type LocalFile,
  type LocalFiles,
  readFolder,
  removeFile,
  writeText,
} from './local-folder.ts';
import { type FileState, loadState, type SyncState, saveState } from './sync-state.ts';

/** The two sides of a sync. */
export interface SyncSides {
  readonly memory: AgentMemory;
  /** The folder, as an absolute path without links. */
  readonly root: string;
  /** The folder of the memory, such as `/memories`. */
  readonly path: string;
}

/** What was done about a file, or is to be done. */
export interface Done {
  readonly what:
    | 'sent'
    | 'fetched'
    | 'deleted here'
    | 'deleted there'
    | 'kept both'
    | 'waits'
    | 'left out'
    | 'again';
  readonly path: string;
  readonly note?: string;
}

type RemoteFile = Output<'files'>['files'][number];

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
  const remote = new Map((await memory.files({ path })).files.map((file) => [below(path, file.path), file]));
  const pass = new Pass(sides, state, local, tell);
  for (const [name, note] of local.leftOut) tell({ what: 'left out', path: name, note });
  const steps = plan(local, remote, state);
  if (dryRun) {
    for (const { step, name } of steps) if (step !== 'forget') tell(intended(step, name));
    return;
  }
  const save = () => saveState(root, state);
  try {
    for (const [index, { step, name }] of steps.entries()) {
      await pass.take(step, name, remote.get(name));
      if (index % STEPS_A_STATE === STEPS_A_STATE - 1) save();
    }
  } finally {
    save();
  }
}

function below(folder: string, path: string): string {
  return path.slice(folder.length + 1);
}

interface Planned {
  readonly step: Step;
  readonly name: string;
}

function plan(local: LocalFiles, remote: ReadonlyMap<string, RemoteFile>, state: SyncState): Planned[] {
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

function intended(step: Step, path: string): Done {
  switch (step) {
    case 'create':
    case 'update':
      return { what: 'sent', path };
    case 'fetch':
      return { what: 'fetched', path };
    case 'compare':
      return { what: 'kept both', path, note: 'if they differ' };
    case 'delete here':
    case 'delete there':
      return { what: step === 'delete here' ? 'deleted here' : 'deleted there', path };
    default:
      return { what: 'again', path };
  }
}

/** One pass over both sides. */
class Pass {
  readonly #sides: SyncSides;
  readonly #state: SyncState;
  readonly #local: LocalFiles;
  readonly #tell: (done: Done) => void;

  constructor(sides: SyncSides, state: SyncState, local: LocalFiles, tell: (done: Done) => void) {
    this.#sides = sides;
    this.#state = state;
    this.#local = local;
    this.#tell = tell;
  }

  /** Takes one step. What has changed meanwhile, or is refused, is told; the next pass looks at it anew. */
  async take(step: Step, name: string, remote: RemoteFile | undefined): Promise<void> {
    try {
      await this.#do(step, name, remote);
    } catch (error) {
      if (error instanceof ChangedError) this.#tell({ what: 'again', path: name, note: error.message });
      else if (error instanceof SvcError && isAboutFile(error)) this.#refused(name, error);
      else throw error;
    }
  }

  async #do(step: Step, name: string, remote: RemoteFile | undefined): Promise<void> {
    const local = this.#local.files.get(name);
    const base = this.#state.files.get(name) ?? {};
    if (step === 'forget') this.#state.files.delete(name);
    if (step === 'delete there') return this.#deleteThere(name, base);
    if (step === 'delete here' && local) return this.#deleteHere(local, base);
    if (step === 'fetch' && remote) return this.#fetch(name, remote, local, base);
    if (step === 'compare' && remote && local) return this.#compare(local, remote);
    if ((step === 'create' || step === 'update') && local) return this.#send(local, base);
  }

  #refused(path: string, error: SvcError): void {
    const waits = error.code === 'GUARDIAN_PROTECTED';
    const note = error.message.replace(/^Error: /, '');
    this.#tell({ what: waits ? 'waits' : error.code === 'CONFLICT' ? 'again' : 'left out', path, note });
  }

  async #send(local: LocalFile, base: FileState): Promise<void> {
    const { path, hash, text } = local;
    const { waiting } = base;
    if (waiting?.hash === hash && (await this.#stillWaits(path, waiting.entry))) return;
    if (isProtectedCopy(this.#pathOf(path))) {
      return this.#tell({
        what: 'left out',
        path,
        note: 'is the copy of a protected file: join the two by hand',
      });
    }
    const sent = await this.#store(path, text, base);
    if (sent.entry) {
      this.#state.files.set(path, { ...base, waiting: { hash, entry: sent.entry } });
      this.#tell({ what: 'waits', path, note: WAITS });
      return;
    }
    const partial = sent.isPartial ? { partial: true as const } : {};
    this.#state.files.set(path, { hash, id: sent.id, version: sent.version, ...partial });
    this.#tell({ what: 'sent', path, ...(sent.isPartial ? { note: 'secrets were taken out there' } : {}) });
  }

  async #store(name: string, text: string, { id, version }: FileState) {
    const { memory } = this.#sides;
    if (id !== undefined && version !== undefined && (await this.#isThere(id, name))) {
      const {
        memory: stored,
        entry,
        redacted,
      } = await memory.update({ id, content: text }, { ifMatch: version });
      return { id, version: stored.version, entry: entry?.id, isPartial: redacted !== undefined };
    }
    const path = this.#pathOf(name);
    const {
      file,
      entry,
      text: said,
      redacted,
    } = await memory.fileCommand({ command: 'create', path, file_text: text });
    if (!file && !entry) throw new SvcError('FORBIDDEN', said);
    return {
      id: file?.id ?? '',
      version: file?.version ?? 0,
      entry: entry?.id,
      isPartial: redacted !== undefined,
    };
  }

  /** Whether the memory of a file is active under its path: a file that was deleted there is made anew. */
  async #isThere(id: string, name: string): Promise<boolean> {
    const found = await this.#find(id);
    return typeof found === 'object' && found.key === keyOf(this.#pathOf(name));
  }

  /** A memory by its id; `archived` where it can be restored, `unknown` where the service does not have it. */
  async #find(id: string): Promise<Output<'get'>['memory'] | 'archived' | 'unknown'> {
    try {
      return (await this.#sides.memory.get({ id })).memory;
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'NOT_FOUND') throw error;
      return error.details && 'archived_at' in error.details ? 'archived' : 'unknown';
    }
  }

  async #stillWaits(path: string, id: string): Promise<boolean> {
    const { entry } = await this.#sides.memory.guardianEntry({ id });
    if (['cooling', 'waiting'].includes(entry.status)) this.#tell({ what: 'waits', path, note: WAITS });
    else if (['rejected', 'withdrawn'].includes(entry.status)) {
      const note = `was ${entry.status}: edit it, or delete it here to get back what the memory says`;
      this.#tell({ what: 'left out', path, note });
    } else return false;
    return true;
  }

  async #deleteThere(name: string, base: FileState): Promise<void> {
    const { memory } = this.#sides;
    const path = this.#pathOf(name);
    try {
      const { outcome } = await memory.fileCommand(
        { command: 'delete', path },
        base.version === undefined ? {} : { ifMatch: base.version },
      );
      if (outcome === 'queued')
        return this.#tell({ what: 'waits', path: name, note: `the deletion ${WAITS}` });
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'FORBIDDEN') throw error;
      await this.#fetch(name, { id: base.id ?? '' }, undefined, base);
      return this.#tell({ what: 'left out', path: name, note: 'cannot be deleted, and was brought back' });
    }
    this.#state.files.delete(name);
    this.#tell({ what: 'deleted there', path: name, note: 'restorable for 30 days' });
  }

  async #deleteHere(local: LocalFile, base: FileState): Promise<void> {
    const found = await this.#find(base.id ?? '');
    // A service that lost its memories, as one restored from an old backup, gets them again.
    if (found === 'unknown') return this.#send(local, {});
    if (found !== 'archived' && found.key === keyOf(this.#pathOf(local.path))) {
      throw new ChangedError('came back meanwhile');
    }
    if (base.partial) await this.#keepCopy(local);
    await removeFile(this.#sides.root, local);
    this.#state.files.delete(local.path);
    this.#tell({ what: 'deleted here', path: local.path });
  }

  async #fetch(
    name: string,
    remote: { readonly id: string },
    local: LocalFile | undefined,
    base: FileState,
  ): Promise<void> {
    const { memory } = await this.#sides.memory.get({ id: remote.id });
    if (local && base.partial) await this.#keepCopy(local);
    await this.#write(name, memory, local);
    this.#tell({ what: 'fetched', path: name });
  }

  async #write(name: string, memory: Output<'get'>['memory'], local: LocalFile | undefined): Promise<void> {
    if (memory.key !== keyOf(this.#pathOf(name))) throw new ChangedError('was renamed meanwhile');
    await writeText(this.#sides.root, name, memory.content, local);
    const { id, version, content } = memory;
    this.#state.files.set(name, { hash: hashOf(content), id, version });
  }

  /** Both have changed: where they differ, the file here is kept as a copy beside what the memory says. */
  async #compare(local: LocalFile, remote: RemoteFile): Promise<void> {
    const { memory } = await this.#sides.memory.get({ id: remote.id });
    if (memory.content === local.text) {
      this.#state.files.set(local.path, { hash: local.hash, id: memory.id, version: memory.version });
      return;
    }
    const copy = await this.#keepCopy(local);
    await this.#write(local.path, memory, local);
    this.#tell({ what: 'kept both', path: local.path, note: `what was here is ${copy}` });
  }

  /** Keeps a file under another name, which says nothing new if it is there already. */
  async #keepCopy(local: LocalFile): Promise<string> {
    const copy = copyName(local);
    if (this.#local.files.get(copy)?.hash !== local.hash) {
      await writeText(this.#sides.root, copy, local.text, this.#local.files.get(copy));
    }
    return copy;
  }

  #pathOf(name: string): string {
    return `${this.#sides.path}/${name}`;
  }
}

const WAITS = 'for your human (Guardian); the memory says what it said until then';

/** What concerns this file only; after any other error the pass ends. */
function isAboutFile({ code }: SvcError): boolean {
  return ['VALIDATION_ERROR', 'CONFLICT', 'NOT_FOUND', 'FORBIDDEN', 'GUARDIAN_PROTECTED'].includes(code);
}

function keyOf(path: string): string {
  return path.replace(/^\/memories\//, 'files/');
}

/** The name of a copy, by what it says: the same conflict again makes no second one. */
function copyName({ path, hash }: LocalFile): string {
  const [, folder = '', stem = '', extension = ''] = /^(.*\/)?([^/]+?)(\.[^./]{1,16})?$/s.exec(path) ?? [];
  return `${folder}${stem.slice(0, 80)}.conflict-${hash.slice(0, 8)}${extension}`;
}

/** A copy of what says who the agent is would ask the human to add what is there already. */
function isProtectedCopy(path: string): boolean {
  return /^\/memories\/(?:soul|identity)\//.test(path) && /\.conflict-[0-9a-f]{8}(?:\.[^./]+)?$/.test(path);
}
