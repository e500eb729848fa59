import { textOf, toFields } from '../files/fields.ts';
import { line } from './claude-code.ts';
import { contentText, eventOf, type HookFramework, toolCall } from './framework.ts';

const POINTS = {
  SessionStart: 'start',
  BeforeAgent: 'prompt',
  PreCompress: 'compaction',
  AfterAgent: 'turn',
  SessionEnd: 'end',
} as const;

/** Gemini CLI: https://geminicli.com/docs/hooks/reference */
export const geminiCliFramework: HookFramework = {
  id: 'gemini-cli',
  recoversAtPrompt: true,
  toEvent: (input) => eventOf(input, POINTS),
  toLine: (record) => {
    const calls = Array.isArray(record.toolCalls) ? record.toolCalls.map(toFields) : [];
    const tools = calls.map(({ name, args }) => toolCall(name, args));
    const role = { user: 'user', gemini: 'assistant' }[String(record.type)];
    if (role === undefined) return {};
    return line(role, contentText(record.content).trim(), textOf(record, 'timestamp'), tools);
  },
  // Anything but JSON on stdout is an error.
  answer: (event, text) =>
    JSON.stringify(
      text === undefined ? {} : { hookSpecificOutput: { hookEventName: event, additionalContext: text } },
    ),
};
