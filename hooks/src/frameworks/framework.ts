import { asLabel, firstCharacters } from '@svc-memory/core/text';
import { asFields, type Fields, textField } from '../files/fields.ts';

/**
 * Where in the life of a session a hook fires: at its `start`, with a `prompt` of the user, after a compaction (`recover`),
 * right before one (`compaction`), at the end of a `turn`, at its `end`.
 */
export type HookPoint = 'start' | 'prompt' | 'recover' | 'compaction' | 'turn' | 'end';

/** One firing of a hook. */
export interface HookEvent {
  readonly point: HookPoint;
  /** The host's name for the event, as answers repeat it. */
  readonly name: string;
  readonly sessionId: string | undefined;
  readonly transcriptPath: string | undefined;
  /** What the user says, at a `prompt`. */
  readonly prompt?: string | undefined;
  /** What the host tells beside the transcript, which may lag behind it. */
  readonly said?: TranscriptTurn | undefined;
}

/** One turn of a conversation, as `POST /webhooks/compaction` takes it. */
export interface TranscriptTurn {
  readonly role: string;
  readonly content: string;
  readonly occurred_at?: string;
  readonly id?: string;
}

/** What a line of a transcript says: a turn, and the tools used in it. Neither for lines of no interest. */
export interface TranscriptLine {
  readonly turn?: TranscriptTurn;
  readonly tools?: readonly string[];
  readonly at?: string;
}

/** One host of hooks: how it speaks to them, and how it writes its transcripts. */
export interface HookFramework {
  readonly id: string;
  /** The most UTF-16 code units of a hook's answer that reach the model whole. */
  readonly maxCharacters?: number;
  /** The same in bytes of UTF-8, for hosts that count these. */
  readonly maxBytes?: number;
  /** Whether a copy of a session, as a fork is one, repeats the times of its lines: they then name a turn in every session. */
  readonly timesNameTurns?: boolean;
  /**
   * For hosts whose hooks tell neither each start of a session nor each compaction. The time at which the host put a summary in
   * the place of what was said, where a line of the transcript tells that; see `placeInSession`.
   */
  summarizedAt?(record: Fields): string | undefined;
  /** Reads what the host passes to a hook; undefined for events that need nothing done. */
  toEvent(input: Fields): HookEvent | undefined;
  /** Reads one line of the transcript. */
  toLine(record: Fields): TranscriptLine;
  /** The answer for stdout: the text for the model, or one that changes nothing. */
  answer(event: string, text: string | undefined): string;
}

const MOST_OF_SESSION_ID = 256;

/** Reads the event of an input by a table of the host's event names; undefined for names that are not in it. */
export function eventOf(
  input: Fields,
  points: Readonly<Record<string, HookPoint>>,
  sessionFields: readonly string[] = ['session_id'],
): HookEvent | undefined {
  const name = textField(input, 'hook_event_name') ?? '';
  const point = Object.hasOwn(points, name) ? points[name] : undefined;
  if (point === undefined) return undefined;
  const sessionId = asLabel(textField(input, ...sessionFields) ?? '', MOST_OF_SESSION_ID) || undefined;
  const prompt = point === 'prompt' ? { prompt: textField(input, 'prompt') } : {};
  return { point, name, sessionId, transcriptPath: textField(input, 'transcript_path'), ...prompt };
}

/** The text blocks of a message's content, which may be a plain text as well. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block) => (typeof block === 'string' ? block : textField(asFields(block), 'text')))
    .filter((text) => text !== undefined)
    .join('\n');
}

const TELLING = ['command', 'file_path', 'path', 'pattern', 'query', 'url', 'cmd', 'description', 'prompt'];
const MOST_OF_CALL = 120;

/** A tool call in one short line, such as `Bash: npm test`; inputs and results are not memories. */
export function toolCall(name: unknown, input: unknown): string {
  const fields = asFields(input);
  const told = textField(fields, ...TELLING)
    ?.replace(/\s+/g, ' ')
    .trim();
  const call = told === undefined ? String(name) : `${name}: ${told}`;
  return call.length > MOST_OF_CALL ? `${firstCharacters(call, MOST_OF_CALL)}…` : call;
}

/** The tool calls among a message's content blocks. */
export function toolCalls(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  return content
    .map(asFields)
    .filter(({ type }) => type === 'tool_use')
    .map(({ name, input }) => toolCall(name, input));
}

/** Two marks, between which a host puts something of its own. */
export type Marks = readonly [begin: string, end: string];

/**
 * A text parted at the first two marks. Not by a regular expression: that follows each of many beginnings without an end to the end
 * of the text, and a hook with a long one would take minutes.
 */
export function partAt(text: string, [begin, end]: Marks) {
  const start = text.indexOf(begin);
  const inside = start + begin.length;
  const stop = start < 0 ? -1 : text.indexOf(end, inside);
  if (stop < 0) return undefined;
  return {
    before: text.slice(0, start),
    between: text.slice(inside, stop),
    after: text.slice(stop + end.length),
  };
}

/** A text without all that stands between two marks. */
export function withoutMarked(text: string, marks: Marks): string {
  let kept = '';
  let rest = text;
  for (let parts = partAt(rest, marks); parts; parts = partAt(rest, marks)) {
    kept += parts.before;
    rest = parts.after;
  }
  return kept + rest;
}
