import {
  mayShareWords,
  type Outline,
  outlineOf,
  type Sketch,
  sharedWords,
  wordingOf,
} from '../../search-index/sketch.ts';

/** What decides whether a memory is a near-copy of another, and its writer. */
export interface Attributed {
  readonly sketch: Sketch;
  /** The writer: the source with its credential. */
  readonly source: string;
}

/** Most memories of one wording, of one group of near-copies and of one source that come before the others. */
export interface ShareLimits {
  /** Memories with the same words, numbers aside. */
  readonly alike: number;
  readonly near: number;
  readonly source: number;
}

/** Source of memories that the service derives; they belong to no writer. */
const DERIVED = 'reflection';
/** Most groups that a memory is compared with, which bounds the time. */
const MAX_GROUPS = 128;

interface Group<Memory extends Attributed> {
  readonly first: Memory;
  readonly outline: Outline;
  size: number;
}

/** How a memory relates to those before it. */
export interface Placement<Memory> {
  /** False when its wording, its group or its source has reached its limit. */
  readonly hasRoom: boolean;
  /** The first memory of its group: itself when it resembles none before it. */
  readonly first: Memory;
}

/** Groups memories by near-copies, best first. */
export class CopyGroups<Memory extends Attributed = Attributed> {
  readonly #groups: Group<Memory>[] = [];

  /** The first memory of the group that resembles a memory most: itself when it resembles none before it. */
  firstOf(memory: Memory): Memory {
    return this.groupOf(memory).first;
  }

  /** The nearest group; a new one for a memory that resembles none. */
  groupOf(memory: Memory): Group<Memory> {
    const outline = outlineOf(memory.sketch);
    let best: Group<Memory> | undefined;
    let most = 0;
    for (let number = 0; number < this.#groups.length && most < 1; number += 1) {
      const group = this.#groups[number];
      if (!group || !mayShareWords(outline, group.outline)) continue;
      const shared = sharedWords(memory.sketch, group.first.sketch);
      if (shared > most) [best, most] = [group, shared];
    }
    if (best) return best;
    const own = { first: memory, outline, size: 0 };
    if (this.#groups.length < MAX_GROUPS) this.#groups.push(own);
    return own;
  }
}

/** Counts memories by wording, group and source, best first, and decides for each whether the limits leave room. */
export class ShareCounter<Memory extends Attributed = Attributed> {
  readonly #share: ShareLimits;
  readonly #groups = new CopyGroups<Memory>();
  readonly #alike = new Map<number, number>();
  readonly #sources = new Map<string, number>();

  constructor(share: ShareLimits) {
    this.#share = share;
  }

  /** Whether any source has reached its limit. Then memories of unknown source, such as neighbours, wait too. */
  get isShared(): boolean {
    return [...this.#sources.values()].some((count) => count >= this.#share.source);
  }

  take(memory: Memory): Placement<Memory> {
    const group = this.#groups.groupOf(memory);
    const wording = wordingOf(memory.sketch);
    const alike = this.#alike.get(wording) ?? 0;
    const { source } = memory;
    const ofSource = isDerived(source) ? 0 : (this.#sources.get(source) ?? 0);
    const { alike: mostAlike, near, source: mostOfSource } = this.#share;
    const hasRoom = alike < mostAlike && group.size < near && ofSource < mostOfSource;
    if (hasRoom) {
      this.#alike.set(wording, alike + 1);
      this.#sources.set(source, ofSource + 1);
      group.size += 1;
    }
    return { hasRoom, first: group.first };
  }
}

/** Whether the service derived the memory, or its writer is unknown. */
export function isDerived(source: string): boolean {
  return source === '' || source.startsWith(DERIVED);
}
