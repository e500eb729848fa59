import { countTokens, toJson } from '@svc-memory/core/adapter';
import { type Message, type MessagePart, member, outputText, partsOf } from './messages.ts';

/** Counts the tokens of one message. */
export type TokenCounter = (message: Message) => number;

/** Role and separators around a message. */
export const FRAME_TOKENS = 4;
/** Ids and structure around a tool call or result. */
const TOOL_FRAME_TOKENS = 16;
/** What an image or file counts as; providers differ, and no text tells its size. */
const FILE_TOKENS = 1_600;
const FILES = new Set(['image', 'file', 'reasoning-file']);

// Within one call the same history is counted at every step.
const counted = new WeakMap<Message, number>();

/** Number of o200k tokens of a message: texts and tool traffic exactly, an image or file as 1,600. */
export const countMessage: TokenCounter = (message) => {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const tokens = partsOf(message).reduce((sum, part) => sum + countPart(part), FRAME_TOKENS);
  counted.set(message, tokens);
  return tokens;
};

function countPart(part: MessagePart): number {
  if (FILES.has(part.type)) return FILE_TOKENS;
  const text = member(part, 'text');
  if (typeof text === 'string') return countTokens(text);
  const name = String(member(part, 'toolName') ?? '');
  if (part.type === 'tool-call') return countTokens(name + toJson(member(part, 'input'))) + TOOL_FRAME_TOKENS;
  if (part.type !== 'tool-result') return 0;
  const output = member(part, 'output');
  const files = outputText(output).match(/^\[(?:image|file|media)[^\]]*\]$/gm)?.length ?? 0;
  return countTokens(name + outputText(output)) + TOOL_FRAME_TOKENS + files * FILE_TOKENS;
}

/** The first lines of an injection that take at most so many tokens; each line can be read by itself. */
export function fitLines(text: string, tokens: number): string {
  if (countTokens(text) <= tokens) return text;
  const lines = text.split('\n');
  let [fits, tooMany] = [0, lines.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (countTokens(lines.slice(0, middle).join('\n')) <= tokens) fits = middle;
    else tooMany = middle;
  }
  return lines.slice(0, fits).join('\n');
}
