import type { Call } from '../../kernel/context/call.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { Memory } from '../records/contract.ts';

declare module '../../kernel/feature.ts' {
  interface FeatureParts {
    /** Sections that it adds to every injection. */
    readonly bootSections?: readonly BootSection[];
  }
}

declare module '../../kernel/context/context.ts' {
  interface Services {
    /** The sections of all features, in the order of the features. */
    readonly bootSections: readonly BootSection[];
  }
}

/** A section that another feature adds to every injection. */
export interface BootSection {
  /** Name of the section that it stands behind. */
  readonly after: string;
  /** @returns undefined where there is nothing to show. */
  load(call: Call & { readonly tx: Tx }): Promise<Section | undefined>;
}

/** A newer fact of which it is not sure whether it took the place of another. */
export interface Doubt {
  /** The beginning of what it says, hostile text. */
  readonly content: string;
  readonly since: Date;
}

/** One line or block of an injection: a memory, or plain text of the service's own. */
export interface Entry {
  /** Set where the entry shows a memory; its content is hostile text and rendered as such. */
  readonly memory?: Memory;
  /** Code points of the memory's whole content, where `memory.content` holds only its beginning. */
  readonly fullLength?: number;
  /** Who said what the memory says; default: its `source`, who wrote it last. */
  readonly contentSource?: Source;
  /** Words of the service about the memory, shown beside its date. */
  readonly note?: string;
  /** What the memory superseded lately: the beginning of its content, hostile text too. */
  readonly former?: string;
  /** What perhaps took the memory's place: it is not shown without. */
  readonly doubt?: Doubt;
  /** Near-copies of the memory that are left out for it. */
  readonly alike?: number;
  /** True where `truncate_at` does not apply: soul, identity, and the guide on the first boot. */
  readonly whole?: boolean;
  /** Place in the section when space is short, 0 the first to stay; default: by `keep`. */
  readonly rank?: number;
  /** True where the human has not confirmed it: what they have confirmed takes its room first. */
  readonly unconfirmed?: boolean;
  /** True where nothing else may push the entry out. */
  readonly pinned?: boolean;
  /** Set where the entry is important: how much, 0..1, beside the important entries of other sections. */
  readonly score?: number;
  /** The same in fewer words, longest first: shown in place of a cut. Contents where `memory` is set, else texts. */
  readonly shorter?: readonly string[];
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
