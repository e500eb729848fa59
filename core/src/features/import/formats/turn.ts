import { type ImportDraft, type ImportEntry, memoryEntry } from '../draft.ts';

/** One turn of a conversation. */
export interface ForeignTurn extends Omit<ImportDraft, 'type' | 'category' | 'occurredAt'> {
  readonly role: string | undefined;
  readonly at: Date | undefined;
}

// As for transcripts: what an agent chose to remember outranks what was merely said.
const TURN_IMPORTANCE = 0.3;

/** A turn as an episodic memory, `role: text`, like the turns of a transcript. */
export function turnEntry({ role, content, at, tags = [], importance, ...rest }: ForeignTurn): ImportEntry {
  const name = role?.replace(/[\s\p{Cc}:]+/gu, ' ').trim() ?? '';
  return memoryEntry({
    ...rest,
    type: 'episodic',
    content: content.trim() === '' || name === '' ? content : `${name}: ${content}`,
    tags: ['transcript', ...tags],
    importance: importance ?? TURN_IMPORTANCE,
    occurredAt: at,
  });
}
