import type { Memory } from '../memory/contract.ts';

/** One line or block of an injection: a memory, or plain text of the service's own. */
export interface Entry {
  /** Set where the entry shows a memory; its content is hostile text and rendered as such. */
  readonly memory?: Memory;
  /** Text of the service itself, trusted, rendered as it is. Ignored where `memory` is set. */
  readonly text?: string;
}

/** A titled part of an injection. */
export interface Section {
  /** Stable name: `identity`, `relationship`, `operations`, `working`, `upcoming`, `episodic`, `semantic`, `session`, or a plugin's own. */
  readonly name: string;
  readonly title: string;
  readonly entries: readonly Entry[];
  /** Which part of the token budget it may take when space is short, relative to the other sections; default 1. */
  readonly weight?: number;
}
