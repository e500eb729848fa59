import { type ImportEntry, memoryEntry } from '../draft.ts';

/** One turn of a conversation. */
export interface ForeignTurn {
  readonly origin: string | undefined;
  readonly originWithin?: string;
  readonly role: string | undefined;
  readonly content: string;
  readonly at: Date | undefined;
  readonly sessionId: string | undefined;
  /** Whose it is at its source. */
  readonly userId?: string | undefined;
  readonly unreadable?: readonly string[] | undefined;
}

// As for transcripts: what an agent chose to remember outranks what was merely said.
const TURN_IMPORTANCE = 0.3;

/** A turn as an episodic memory, `role: text`, like the turns of a transcript. */
export function turnEntry(turn: ForeignTurn): ImportEntry {
  const { origin, originWithin, role, content, at, sessionId, userId, unreadable } = turn;
  const name = role?.replace(/[\s\p{Cc}:]+/gu, ' ').trim() ?? '';
  return memoryEntry({
    origin,
    originWithin,
    type: 'episodic',
    content: content.trim() === '' || name === '' ? content : `${name}: ${content}`,
    tags: ['transcript'],
    importance: TURN_IMPORTANCE,
    occurredAt: at,
    sessionId,
    userId,
    unreadable,
  });
}
