/**
 * What the messages of `ai` 6 and 7 and the prompts of their providers have in common. Only this much is read, so that
 * one adapter serves them all; whatever else a message holds is passed on as it is.
 */
export interface Message {
  readonly role: string;
  readonly content: string | readonly Part[];
  readonly providerOptions?: unknown;
}

/** One part of a message: a text, a file, a tool call, ... */
export interface Part {
  readonly type: string;
}

/** One thing that was said or done, as the memory service keeps it. */
export interface Turn {
  readonly role: string;
  readonly content: string;
}

// What is longer says more about a file or a page than about the conversation; it can be fetched again.
const LONGEST_RESULT = 2_000;
// Far below what one request may hold, whatever its encoding.
const LONGEST_TURN = 32_768;
// The memory tools' own traffic: kept, it would only repeat the memories it shows.
const OWN_TOOL = /^svc_/;

/** What a message says and does, as turns to keep; the same for a message and for the prompt made of it. */
export function turnsOf(message: Message): Turn[] {
  const parts = partsOf(message);
  switch (message.role) {
    case 'user':
      return toTurns('user', parts.map(nameOrText).filter(Boolean).join('\n'));
    case 'assistant':
      return [...toTurns('assistant', parts.map(textOf).join('')), ...parts.flatMap(toolTurns)];
    case 'tool':
      return parts.flatMap(toolTurns);
    default:
      return [];
  }
}

/** Text of an answer as a turn. */
export function answerTurns(parts: readonly Part[]): Turn[] {
  return toTurns('assistant', parts.map(textOf).join(''));
}

/** The parts of a message; a plain text is one part. */
export function partsOf({ content }: Message): readonly Part[] {
  return typeof content === 'string' ? [{ type: 'text', text: content } as Part] : content;
}

/** A member of a part, whatever the version of the SDK calls its type. */
export function member(part: object, name: string): unknown {
  return Reflect.get(part, name);
}

/** The text of a text part, else nothing. */
function textOf(part: Part): string {
  const text = part.type === 'text' ? member(part, 'text') : undefined;
  return typeof text === 'string' ? text : '';
}

/** A text, or the name of what stands in its place; images are files with an image's media type in a prompt. */
function nameOrText(part: Part): string {
  if (part.type !== 'image' && part.type !== 'file') return textOf(part);
  const isImage = part.type === 'image' || String(member(part, 'mediaType')).startsWith('image');
  const name = member(part, 'filename');
  return isImage ? '[image]' : typeof name === 'string' ? `[file ${name}]` : '[file]';
}

function toolTurns(part: Part): Turn[] {
  const name = String(member(part, 'toolName'));
  if (OWN_TOOL.test(name)) return [];
  if (part.type === 'tool-call') {
    return toTurns('assistant', clip(`called ${name} with ${toJson(member(part, 'input'))}`));
  }
  if (part.type === 'tool-result') {
    return toTurns('tool', clip(`${name} answered ${outputText(member(part, 'output'))}`));
  }
  return [];
}

/** A tool's output as text: itself, as JSON, or the texts of its content. */
export function outputText(output: unknown): string {
  if (typeof output !== 'object' || output === null) return String(output);
  const value = member(output, 'value');
  if (typeof value === 'string') return value;
  if (member(output, 'type') !== 'content' || !Array.isArray(value)) {
    return toJson(value ?? member(output, 'reason') ?? member(output, 'type'));
  }
  return value.map((part: Part) => (part.type === 'text' ? textOf(part) : `[${part.type}]`)).join('\n');
}

/** Any value as JSON text; never throws. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return String(value);
  }
}

function clip(text: string): string {
  if (text.length <= LONGEST_RESULT) return text;
  return `${text.slice(0, LONGEST_RESULT)} … (${text.length - LONGEST_RESULT} more characters)`;
}

function toTurns(role: string, text: string): Turn[] {
  const whole = storable(text);
  const turns: Turn[] = [];
  for (let start = 0; start < whole.length; ) {
    const end = endOfPiece(whole, start);
    const content = whole.slice(start, end);
    if (content.trim() !== '') turns.push({ role, content });
    start = end;
  }
  return turns;
}

function endOfPiece(text: string, start: number): number {
  const end = start + LONGEST_TURN;
  const unit = text.charCodeAt(end);
  // Never between the halves of one character.
  return unit >= 0xdc00 && unit <= 0xdfff ? end - 1 : end;
}

/** A text without what the service refuses. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}
