import type { Memory } from '../memory/contract.ts';

/** One line or block of an injection: a memory, or plain text of the service's own. */
export interface Entry {
  /** Set where the entry shows a memory; its content is hostile text and rendered as such. */
  readonly memory?: Memory;
  /** Code points of the memory's whole content, where `memory.content` holds only its beginning. */
  readonly fullLength?: number;
  /** Words of the service about the memory, shown beside its date. */
  readonly note?: string;
  /** True where `truncate_at` does not apply: soul, identity, and the guide on the first boot. */
  readonly whole?: boolean;
  /** Text of the service itself, trusted, rendered as it is. Ignored where `memory` is set. */
  readonly text?: string;
}

/** A titled part of an injection. */
export interface Section {
  /**
   * Stable name: `identity`, `relationship`, `operations`, `working`, `upcoming`, `conversation` (recovery only),
   * `episodic`, `semantic`, `session`, or a plugin's own. `identity` comes out of the budget before all others.
   */
  readonly name: string;
  readonly title: string;
  /** In the order they are shown. */
  readonly entries: readonly Entry[];
  /** Which part of the token budget it may take when space is short, relative to the other sections; default 1. */
  readonly weight?: number;
  /** Which end of the entries survives when space is short; default `first`. */
  readonly keep?: 'first' | 'last';
  /** Entries that exist and were left out beforehand; announced together with those that do not fit. */
  readonly omitted?: number;
}
