/** One thing that was said or done, as the memory service keeps it. */
export interface Turn {
  readonly role: string;
  readonly content: string;
}

// What is longer says more about a file or a page than about the conversation; it can be fetched again.
const LONGEST_RESULT = 2_000;
// Far below what one request may hold, whatever its encoding.
const LONGEST_TURN = 32_768;
// The memory tools' own traffic, that of the file tool too: kept, it would only repeat the memories it shows.
const OWN_TOOL = /^(?:svc_.*|memory)$/;
const CALL = /^called \S+ with /;

/** A text that was said, as turns to keep: none where it is blank, several where it is very long. */
export function saidTurns(role: string, text: string): Turn[] {
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

/** A tool call as turns to keep; none for the memory's own tools. */
export function callTurns(tool: string, input: unknown): Turn[] {
  return OWN_TOOL.test(tool) ? [] : saidTurns('assistant', clip(`called ${tool} with ${toJson(input)}`));
}

/** Whether an assistant's turn says which tool was called. */
export function isCall(content: string): boolean {
  return CALL.test(content);
}

/** A tool's result as turns to keep, its first 2,000 characters; none for the memory's own tools. */
export function resultTurns(tool: string, output: string): Turn[] {
  return OWN_TOOL.test(tool) ? [] : saidTurns('tool', clip(`${tool} answered ${output}`));
}

/** Any value as JSON text; never throws. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return String(value);
  }
}

/** A text without what the service refuses: NUL characters and unpaired surrogates. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

function clip(text: string): string {
  if (text.length <= LONGEST_RESULT) return text;
  return `${text.slice(0, LONGEST_RESULT)} … (${text.length - LONGEST_RESULT} more characters)`;
}

function endOfPiece(text: string, start: number): number {
  const end = start + LONGEST_TURN;
  const unit = text.charCodeAt(end);
  // Never between the halves of one character.
  return unit >= 0xdc00 && unit <= 0xdfff ? end - 1 : end;
}
