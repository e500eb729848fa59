import { invalid } from '../../kernel/contract/errors.ts';
import { MEMORY_TYPES } from '../../kernel/contract/fields.ts';
import type { OutputOf } from '../../kernel/contract/route.ts';
import { bytesOf, MOST_BYTES } from '../../kernel/tools/tool.ts';
import type { ExportedMemory, ExportedVersion, exportRoutes } from './contract.ts';

type Document = OutputOf<typeof exportRoutes.export>['export'];
type Part = Pick<Document, 'memories' | 'archived' | 'history'>;

/**
 * As much of an export as one answer may hold, as a document of its own, and the cursor of what follows it.
 *
 * @param after the cursor of the part before
 * @throws SvcError `VALIDATION_ERROR` where what it stands for is not in the document any more
 */
export function partOf(
  document: Document,
  after: string | undefined,
): { readonly export: Document; readonly next_cursor: string | null } {
  const part = new PartWriter(after);
  const { users, ...own } = document;
  const exported: Document = { ...own, ...part.take(document) };
  if (users) {
    const parts = users.map((user) => ({ user_id: user.user_id, ...part.take(user) }));
    exported.users = parts.filter((user) => listsOf(user).some(({ length }) => length > 0));
  }
  if (!part.hasBegun) {
    throw invalid('cursor', 'is of a memory that was archived or changed meanwhile: begin again without it');
  }
  return { export: exported, next_cursor: part.next };
}

/**
 * Takes the records of a document in their order, from a cursor on, up to a number of bytes, but for a record that is longer
 * itself.
 */
class PartWriter {
  readonly #after: string | undefined;
  #left = MOST_BYTES;
  #lists = 0;
  #last: string | undefined;
  #isFull = false;
  /** Whether the record of the cursor was found. */
  hasBegun: boolean;

  constructor(after: string | undefined) {
    this.#after = after;
    this.hasBegun = after === undefined;
  }

  /** The cursor of what was not taken. */
  get next(): string | null {
    return (this.#isFull && this.#last) || null;
  }

  take({ memories, archived, history }: Part): Part {
    const [core, working, episodic, semantic] = MEMORY_TYPES.map((type) => this.#from(memories[type]));
    return {
      memories: {
        core: core ?? [],
        working: working ?? [],
        episodic: episodic ?? [],
        semantic: semantic ?? [],
      },
      archived: this.#from(archived),
      history: this.#from(history),
    };
  }

  #from<R extends ExportedMemory | ExportedVersion>(records: readonly R[]): R[] {
    this.#lists += 1;
    const list = this.#lists;
    return records.filter((record) => {
      const name = nameOf(list, record);
      if (!this.hasBegun) {
        this.hasBegun = name === this.#after;
        return false;
      }
      const bytes = bytesOf(record);
      // One record at least, so that each part gets further.
      this.#isFull ||= this.#last !== undefined && bytes > this.#left;
      if (this.#isFull) return false;
      this.#left -= bytes;
      this.#last = name;
      return true;
    });
  }
}

function listsOf({ memories, archived, history }: Part): readonly (readonly object[])[] {
  return [...Object.values(memories), archived, history];
}

/** Names a record by its list, too: a memory that is archived meanwhile stands further back. */
function nameOf(list: number, record: ExportedMemory | ExportedVersion): string {
  return 'memory_id' in record ? `${list}.${record.memory_id}.${record.version}` : `${list}.${record.id}`;
}
