import { createHash, type Hash } from 'node:crypto';
import { EARLIEST, LATEST } from '../../kernel/contract/fields.ts';
import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { splitText } from '../../text/split-text.ts';
import type { NewMemory } from '../memory/contract.ts';
import type { CompactionTurn } from './contract.ts';

/** Characters of a turn that one memory holds at most; longer turns become several. */
const TURN_CHARACTERS = 2_000;

// Below the default: what an agent chose to remember outranks what was merely said.
const TRANSCRIPT_IMPORTANCE = 0.3;

/** A turn whose speaker may be unknown, as in a plain text. */
export type SpokenTurn = Omit<CompactionTurn, 'role'> & { readonly role?: string | undefined };

// A name that stands alone before a colon at the start of a line, with the emphasis markdown logs put around it.
const SPEAKER =
  /^ {0,3}(?:\*\*|__|\[|#{1,6} )?([\p{L}][\p{L}\p{M}\p{N} ._'-]{0,39}?)(?:\]|\*\*|__)?\s?:(?:\*\*|__)?(?:\s|$)/u;
const KNOWN_SPEAKERS =
  /^(?:user|human|assistant|ai|agent|model|bot|system|developer|tool|function|me|you|claude|chatgpt|gpt|gemini|copilot)$/i;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Turns that a plain transcript is read as at most, as many as a list of turns may hold. */
const MOST_TURNS = 2_000;
/** Lines that are looked at in one turn of the event loop: less than a millisecond's. */
const LINES_AT_ONCE = 500;

/**
 * Reads a plain transcript as turns: a line `name: …` begins one where the name is a usual role or speaks more than
 * once. A text without speakers is cut into its paragraphs, as is one with more than 2,000 turns. Nothing but white
 * space between turns is lost.
 */
export async function readTranscript(text: string): Promise<SpokenTurn[]> {
  const lines = text.split(/\r\n|\r|\n/);
  const speakers = await speakersOf(lines);
  const turns: { role?: string; lines: string[] }[] = [];
  for (const [index, line] of lines.entries()) {
    if (index % LINES_AT_ONCE === 0) await yieldToEventLoop();
    const speaker = speakers.get(index);
    if (speaker !== undefined) turns.push({ role: speaker.name, lines: [line.slice(speaker.length)] });
    else if (turns.length === 0) turns.push({ lines: [line] });
    else turns.at(-1)?.lines.push(line);
  }
  return turns
    .flatMap(({ role, lines: own }) => {
      const content = own.join('\n').trim();
      if (role !== undefined) return [{ role, content }];
      return joinParagraphs(content).map((paragraph) => ({ content: paragraph }));
    })
    .filter(({ content }) => content !== '');
}

/** The speakers by the line that each begins; lines inside code fences begin none. */
async function speakersOf(lines: readonly string[]): Promise<ReadonlyMap<number, Speaker>> {
  let fence: string | undefined;
  const found = new Map<number, Speaker>();
  for (const [index, line] of lines.entries()) {
    if (index % LINES_AT_ONCE === 0) await yieldToEventLoop();
    const mark = FENCE.exec(line)?.[1];
    if (
      mark !== undefined &&
      (fence === undefined || (mark[0] === fence[0] && mark.length >= fence.length))
    ) {
      fence = fence === undefined ? mark : undefined;
    }
    const match = fence === undefined && mark === undefined ? SPEAKER.exec(line) : null;
    if (match) found.set(index, { name: (match[1] ?? '').trim(), length: match[0].length });
  }
  const times = new Map<string, number>();
  for (const { name } of found.values()) times.set(name, (times.get(name) ?? 0) + 1);
  const speaking = [...found].filter(
    ([, { name }]) => KNOWN_SPEAKERS.test(name) || (times.get(name) ?? 0) > 1,
  );
  return new Map(speaking.length > MOST_TURNS ? [] : speaking);
}

interface Speaker {
  readonly name: string;
  /** Characters of the line that name it. */
  readonly length: number;
}

/** Paragraphs of a text, short neighbours together. */
function joinParagraphs(text: string): string[] {
  const joined: string[] = [];
  for (const paragraph of text.split(/\n[ \t]*\n+/)) {
    const last = joined.at(-1);
    if (last !== undefined && last.length + paragraph.length + 2 <= TURN_CHARACTERS) {
      joined[joined.length - 1] = `${last}\n\n${paragraph}`;
    } else {
      joined.push(paragraph);
    }
  }
  return joined;
}

/**
 * Makes the memories that keep a transcript: episodic, in order of time, and keyed by what was said by whom and, among
 * equal turns of one transcript, by which of them it is, so that a repeated or overlapping transcript adds nothing. The key
 * of a turn with an id is the same in every session: a session that is copied says nothing new.
 *
 * @param now time of the last turn where turns have none of their own; those before lie a millisecond apart
 * @returns the memories of each turn
 */
export function keepTurns(
  turns: readonly SpokenTurn[],
  sessionId: string | undefined,
  now: Date,
): NewMemory[][] {
  const spoken = turns.filter(({ content }) => content.trim() !== '');
  const pieces = spoken.map((turn) => splitText(turn.content, TURN_CHARACTERS));
  const times = timesOf(spoken, pieces, now);
  const occurrences = new Map<string, number>();
  return spoken.map((turn, index) => {
    const { id } = turn;
    const said = JSON.stringify([turn.role ?? '', turn.content, id ?? turn.occurred_at?.toISOString() ?? '']);
    const occurrence = occurrences.get(said) ?? 0;
    if (id !== undefined && occurrence > 0) return [];
    occurrences.set(said, occurrence + 1);
    const where = id === undefined ? shortSession(sessionId) : ANY_SESSION;
    // Once for all parts: the turn may be long, and they many.
    const named = createHash('sha256').update(said);
    const parts = pieces[index] ?? [];
    const start = times[index]?.getTime() ?? now.getTime();
    return parts.map((part, place) => ({
      type: 'episodic',
      content: withRole(turn.role, part, place),
      key: `transcript:${where}:${shortDigest(named.copy().update(` ${occurrence} ${place}`))}`,
      tags: ['transcript'],
      importance: TRANSCRIPT_IMPORTANCE,
      occurred_at: storable(start + place),
      ...(sessionId === undefined ? {} : { session_id: sessionId }),
    }));
  });
}

/** When each turn was: its own time, else just after the one before, the last of them now. */
function timesOf(turns: readonly SpokenTurn[], pieces: readonly string[][], now: Date): Date[] {
  const timed = turns.findIndex(({ occurred_at }) => occurred_at !== undefined);
  const before = pieces
    .slice(0, timed < 0 ? pieces.length : timed)
    .reduce((sum, parts) => sum + parts.length, 0);
  const anchor = timed < 0 ? now.getTime() + 1 : (turns[timed]?.occurred_at?.getTime() ?? now.getTime());
  let next = anchor - before;
  return turns.map(({ occurred_at }, index) => {
    const start = occurred_at?.getTime() ?? next;
    next = start + (pieces[index]?.length ?? 1);
    return new Date(start);
  });
}

/** A time as near to this one as can be stored: beside a turn at the end of all times there may be others. */
function storable(time: number): Date {
  return new Date(Math.min(LATEST, Math.max(EARLIEST, time)));
}

function withRole(role: string | undefined, part: string, place: number): string {
  if (role === undefined) return part;
  const name = role.replace(/[\s\p{Cc}:]+/gu, ' ').trim() || 'unknown';
  return `${name}${place === 0 ? '' : ' (continued)'}: ${part}`;
}

/** In the place of a session's id in keys; no id holds a space at its ends. */
const ANY_SESSION = ' ';

// Keys are limited to 256 characters, and session ids are too.
function shortSession(sessionId: string | undefined): string {
  if (sessionId === undefined) return '-';
  return sessionId.length <= 128 ? sessionId : digest(sessionId);
}

function digest(text: string): string {
  return shortDigest(createHash('sha256').update(text));
}

function shortDigest(hash: Hash): string {
  return hash.digest('hex').slice(0, 32);
}
