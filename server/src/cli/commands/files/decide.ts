import type { FileState } from './sync-state.ts';

/** A version of a memory, as a listing of files names it. */
export interface RemoteVersion {
  readonly id: string;
  readonly version: number;
  readonly updated_at: string;
}

/** What there is of one path on both sides, and was after the last sync. */
export interface Sides {
  /** Hash of the file here. */
  readonly local?: string | undefined;
  readonly remote?: RemoteVersion | undefined;
  readonly base?: FileState | undefined;
}

/**
 * What a sync does about one path. The side that has changed wins over the one that has not, a changed file over a deleted
 * one; where both have changed, or the service was taken back behind what was synced, their texts are compared.
 */
export type Step =
  | 'nothing'
  | 'forget'
  | 'delete here'
  | 'delete there'
  | 'create'
  | 'update'
  | 'fetch'
  | 'compare';

export function decide({ local, remote, base }: Sides): Step {
  const isLocalChanged = local !== base?.hash;
  const isBack = isTakenBack(remote, base);
  const isRemoteChanged = isBack || remote?.id !== base?.id || remote?.version !== base?.version;
  if (!isLocalChanged && !isRemoteChanged) return 'nothing';
  if (local === undefined && !remote) return 'forget';
  if (local === undefined) return isRemoteChanged ? 'fetch' : 'delete there';
  if (!remote) return isLocalChanged ? 'create' : 'delete here';
  if (!isRemoteChanged) return 'update';
  return isLocalChanged || isBack ? 'compare' : 'fetch';
}

/**
 * Whether the service no longer has the version that was synced, as one restored from an older backup: it has a lower number, or
 * gave the same number at another time.
 */
function isTakenBack(remote: RemoteVersion | undefined, base: FileState | undefined): boolean {
  if (!remote || remote.id !== base?.id || base.version === undefined) return false;
  return (
    remote.version < base.version || (remote.version === base.version && remote.updated_at !== base.updatedAt)
  );
}

/** The order of steps: what is deleted makes place for what comes. */
export const ORDER: readonly Step[] = [
  'nothing',
  'forget',
  'delete here',
  'delete there',
  'compare',
  'fetch',
  'update',
  'create',
];
