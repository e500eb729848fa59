import { asFields, textField } from '../files/fields.ts';
import { line } from './claude-code.ts';
import {
  contentText,
  eventOf,
  type HookFramework,
  type Marks,
  toolCall,
  withoutMarked,
} from './framework.ts';

// PreCompress is not among them: it fires before each call of a model, whether anything is compressed or not.
const POINTS = {
  SessionStart: 'start',
  BeforeAgent: 'prompt',
  AfterAgent: 'turn',
  SessionEnd: 'end',
} as const;

// What hooks add is written into the user's message. The host escapes angle brackets in it, so that it ends at the first end.
const ADDED_BY_HOOKS: Marks = ['<hook_context>', '</hook_context>'];

/** Gemini CLI: https://geminicli.com/docs/hooks/reference */
export const geminiCliFramework: HookFramework = {
  id: 'gemini-cli',
  summarizedAt: (record) => {
    const { messages } = asFields(record.$set);
    const last = Array.isArray(messages) ? asFields(messages.at(-1)) : {};
    // The model's thanks for the summary. A session that is taken up again is listed too, with the times of what was said.
    return last.type === 'gemini' ? textField(last, 'timestamp') : undefined;
  },
  toEvent: (input) => {
    const event = eventOf(input, POINTS);
    return event?.prompt === undefined ? event : { ...event, prompt: said(event.prompt) };
  },
  toLine: (record) => {
    const calls = Array.isArray(record.toolCalls) ? record.toolCalls.map(asFields) : [];
    const tools = calls.map(({ name, args }) => toolCall(name, args));
    const role = { user: 'user', gemini: 'assistant' }[String(record.type)];
    if (role === undefined) return {};
    return line(role, said(contentText(record.content)), textField(record, 'timestamp'), tools);
  },
  // Anything but JSON on stdout is an error.
  answer: (event, text) =>
    JSON.stringify(
      text === undefined ? {} : { hookSpecificOutput: { hookEventName: event, additionalContext: text } },
    ),
};

function said(text: string): string {
  return withoutMarked(text, ADDED_BY_HOOKS).trim();
}
