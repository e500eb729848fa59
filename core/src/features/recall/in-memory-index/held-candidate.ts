import type { Sketch } from '../../search-index/sketch.ts';
import type { Candidate } from '../candidates.ts';
import type { TenantIndex } from './tenant-index.ts';
import type { More } from './text-store.ts';

/** What a search found out about a memory. */
interface Found extends Pick<Candidate, 'cosine' | 'matched' | 'importance'> {
  /** Evidence by words and meaning alone, to choose the context seeds. */
  readonly judged: number;
}

/**
 * A candidate of an index. What is read of few candidates stays in the index until then: a slot keeps what it got, also of a
 * memory that is removed or replaced meanwhile.
 */
export class HeldCandidate implements Candidate {
  readonly id: string;
  readonly cosine: number | null;
  readonly matched: Candidate['matched'];
  readonly importance: number;
  readonly judged: number;
  readonly more: More;
  #sketch: Sketch | undefined;

  constructor(
    readonly index: TenantIndex,
    readonly slot: number,
    { judged, cosine, matched, importance }: Found,
  ) {
    this.id = index.ids.textOf(slot);
    this.cosine = cosine;
    this.matched = matched;
    this.importance = importance;
    this.judged = judged;
    this.more = index.texts.more(slot);
  }

  get time(): number {
    return this.index.columns.times[this.slot] ?? 0;
  }

  get length(): number {
    return this.index.columns.lengths[this.slot] ?? 0;
  }

  get type(): Candidate['type'] {
    return this.index.typeOf(this.slot);
  }

  get fingerprint(): bigint {
    return this.index.columns.fingerprints[this.slot] ?? 0n;
  }

  get sketch(): Sketch {
    this.#sketch ??= this.index.columns.sketchOf(this.slot);
    return this.#sketch;
  }

  get source(): string {
    return this.index.sourceOf(this.slot);
  }

  get supersededBy(): string | null {
    return this.more.supersededBy;
  }

  get conflictsWith(): readonly string[] | null {
    return this.more.conflictsWith;
  }

  get createdAt(): Date {
    return new Date(this.index.columns.created[this.slot] ?? 0);
  }

  get updatedAt(): Date {
    return new Date(this.index.columns.updated[this.slot] ?? 0);
  }

  get validFrom(): Date | null {
    return this.more.validFrom;
  }

  get validTo(): Date | null {
    return this.more.validTo;
  }
}
