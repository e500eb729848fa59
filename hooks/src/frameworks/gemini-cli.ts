import { contentText, type Framework, fieldsOf, textOf, toolCall } from '../framework.ts';
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
  toMoment: (input) => {
    const event = textOf(input, 'hook_event_name') ?? '';
    if (event === 'BeforeAgent') return 'prompt';
    const kind = event in KINDS ? KINDS[event as keyof typeof KINDS] : undefined;
    if (kind === undefined) return undefined;
    return {
      kind,
      event,
      sessionId: textOf(input, 'session_id'),
      transcriptPath: textOf(input, 'transcript_path'),
    };
  },
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
