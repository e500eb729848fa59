import { textOf, toFields } from '../files/fields.ts';
import { line, sessionEvent } from './claude-code.ts';
import { type HookFramework, toolCall } from './framework.ts';

/** Codex CLI: https://developers.openai.com/codex/hooks */
export const codexFramework: HookFramework = {
  id: 'codex',
  // Longer answers are cut to their head and tail.
  maxCharacters: 9_900,
  toEvent: (input) => sessionEvent(input),
  toLine: ({ timestamp, type, payload }) => {
    const at = typeof timestamp === 'string' ? timestamp : undefined;
    const fields = toFields(payload);
    // Messages among the `response_item`s hold the host's own instructions, too.
    if (type === 'event_msg' && fields.type === 'user_message') return line('user', said(fields), at);
    if (type === 'event_msg' && fields.type === 'agent_message') return line('assistant', said(fields), at);
    if (type !== 'response_item' || fields.type !== 'function_call') return {};
    return line('assistant', '', at, [toolCall(fields.name, parsed(fields.arguments))]);
  },
  answer: (_event, text) => text ?? '',
};

function said(fields: Readonly<Record<string, unknown>>): string {
  return textOf(fields, 'message')?.trim() ?? '';
}

function parsed(json: unknown): unknown {
  try {
    return JSON.parse(String(json));
  } catch {
    return undefined;
  }
}
