import type { FileState } from './sync-state.ts';

/** What there is of one path on both sides, and was after the last sync. */
export interface Sides {
  /** Hash of the file here. */
  readonly local?: string | undefined;
  readonly remote?: { readonly id: string; readonly version: number } | undefined;
  readonly base?: FileState | undefined;
}

/**
 * What a sync does about one path. The side that has changed wins over the one that has not, a changed file over a deleted
 * one; where both have changed, their texts are compared.
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
  const isRemoteChanged = remote?.id !== base?.id || remote?.version !== base?.version;
  if (!isLocalChanged && !isRemoteChanged) return 'nothing';
  if (local === undefined && !remote) return 'forget';
  if (local === undefined) return isRemoteChanged ? 'fetch' : 'delete there';
  if (!remote) return isLocalChanged ? 'create' : 'delete here';
  if (!isRemoteChanged) return 'update';
  return isLocalChanged ? 'compare' : 'fetch';
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
