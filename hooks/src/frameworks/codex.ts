import { asFields, type Fields, parseFields, textField } from '../files/fields.ts';
import { line, sessionEvent } from './claude-code.ts';
import { contentText, type HookFramework, type TranscriptLine, toolCall } from './framework.ts';

/** Codex CLI: https://developers.openai.com/codex/hooks */
export const codexFramework: HookFramework = {
  id: 'codex',
  // Of longer answers the middle is cut out: it takes four bytes for a token, and 2,500 tokens.
  maxBytes: 9_900,
  toEvent: (input) => sessionEvent(input),
  toLine: ({ timestamp, type, payload }) => {
    const at = typeof timestamp === 'string' ? timestamp : undefined;
    const fields = asFields(payload);
    // Messages among the `response_item`s hold the host's own instructions, too.
    if (type === 'event_msg') return toMessage(fields, at);
    if (type !== 'response_item' || fields.type !== 'function_call') return {};
    return line('assistant', '', at, [toolCall(fields.name, parseFields(textField(fields, 'arguments')))]);
  },
  answer: (_event, text) => text ?? '',
};

const ROLES: Readonly<Record<string, string>> = {
  UserMessage: 'user',
  AgentMessage: 'assistant',
  // Releases before items were written.
  user_message: 'user',
  agent_message: 'assistant',
};

function toMessage(event: Fields, at: string | undefined): TranscriptLine {
  const item = event.type === 'item_completed' ? asFields(event.item) : event;
  const role = ROLES[String(item.type)];
  if (role === undefined) return {};
  return line(role, (textField(item, 'message') ?? contentText(item.content)).trim(), at);
}
