import { contentText, type Framework, fieldsOf, momentOf, textOf, toolCall } from '../framework.ts';
import { line } from './claude-code.ts';

const KINDS = {
  SessionStart: 'start',
  PreCompress: 'compaction',
  AfterAgent: 'turn',
  SessionEnd: 'end',
} as const;

/** Gemini CLI: https://geminicli.com/docs/hooks/reference */
export const geminiCli: Framework = {
  id: 'gemini-cli',
  recoversAtPrompt: true,
  toMoment: (input) =>
    textOf(input, 'hook_event_name') === 'BeforeAgent' ? 'prompt' : momentOf(input, KINDS),
  toLine: (record) => {
    const calls = Array.isArray(record.toolCalls) ? record.toolCalls.map(fieldsOf) : [];
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
