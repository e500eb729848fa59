/** Parsed JSON of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Where in the life of a session a hook fires: `start` of a session, `recover` after a compaction, `compaction` right
 * before one, `turn` at the end of a turn, `end` of a session.
 */
type MomentKind = 'start' | 'recover' | 'compaction' | 'turn' | 'end';

/** One firing of a hook. */
export interface Moment {
  readonly kind: MomentKind;
  /** The host's name for it, as answers repeat it. */
  readonly event: string;
  readonly sessionId: string | undefined;
  readonly transcriptPath: string | undefined;
}

/** One turn of a conversation, as `POST /webhooks/compaction` takes it. */
export interface Turn {
  readonly role: string;
  readonly content: string;
  readonly occurred_at?: string;
}

/** What a line of a transcript says: a turn, and the tools used in it. Neither for lines of no interest. */
export interface Line {
  readonly turn?: Turn;
  readonly tools?: readonly string[];
  readonly at?: string;
}

/** One host of hooks: how it speaks to them, and how it writes its transcripts. */
export interface Framework {
  readonly id: string;
  /** The most characters of a hook's answer that reach the model whole. */
  readonly maxCharacters?: number;
  /** True where no session starts after a compaction, so that the recovery waits for the next prompt. */
  readonly recoversAtPrompt?: true;
  /** Reads what the host passes to a hook; undefined for events that need nothing done. */
  toMoment(input: Fields): Moment | 'prompt' | undefined;
  /** Reads one line of the transcript. */
  toLine(record: Fields): Line;
  /** What to write to stdout: the text for the model, or the answer that changes nothing. */
  answer(event: string, text: string | undefined): string;
}

/** The moment of an event that means the same whenever it comes; undefined for events that are not in the table. */
export function momentOf(
  input: Fields,
  kinds: Readonly<Record<string, MomentKind>>,
  sessionFields: readonly string[] = ['session_id'],
): Moment | undefined {
  const event = textOf(input, 'hook_event_name') ?? '';
  const kind = Object.hasOwn(kinds, event) ? kinds[event] : undefined;
  if (kind === undefined) return undefined;
  const sessionId = textOf(input, ...sessionFields);
  return { kind, event, sessionId, transcriptPath: textOf(input, 'transcript_path') };
}

/** A field's text; undefined where it is none or empty. */
export function textOf(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** A field's object; an empty one where it is none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The text blocks of a message's content, which may be a plain text as well. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block) => (typeof block === 'string' ? block : textOf(fieldsOf(block), 'text')))
    .filter((text) => text !== undefined)
    .join('\n');
}

const TELLING = ['command', 'file_path', 'path', 'pattern', 'query', 'url', 'cmd', 'description', 'prompt'];
const MOST_OF_CALL = 120;

/** A tool call in one short line, such as `Bash: npm test`; inputs and results are not memories. */
export function toolCall(name: unknown, input: unknown): string {
  const fields = fieldsOf(input);
  const told = textOf(fields, ...TELLING)
    ?.replace(/\s+/g, ' ')
    .trim();
  const call = told === undefined ? String(name) : `${name}: ${told}`;
  return call.length > MOST_OF_CALL ? `${call.slice(0, MOST_OF_CALL)}…` : call;
}

/** The tool calls among a message's content blocks. */
export function toolCalls(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  return content
    .map(fieldsOf)
    .filter(({ type }) => type === 'tool_use')
    .map(({ name, input }) => toolCall(name, input));
}
