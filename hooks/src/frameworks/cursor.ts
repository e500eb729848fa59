import { asFields } from '../files/fields.ts';
import { line } from './claude-code.ts';
import { contentText, eventOf, type HookFramework, type Marks, partAt, toolCalls } from './framework.ts';

const POINTS = { sessionStart: 'start', preCompact: 'compaction', stop: 'turn', sessionEnd: 'end' } as const;
const QUERY: Marks = ['<user_query>', '</user_query>'];

/** Cursor: https://cursor.com/docs/agent/hooks */
export const cursorFramework: HookFramework = {
  id: 'cursor',
  toEvent: (input) => eventOf(input, POINTS, ['conversation_id', 'session_id']),
  toLine: (record) => {
    const { content } = asFields(record.message);
    const text = contentText(content).trim();
    if (record.role === 'user') return line('user', (partAt(text, QUERY)?.between ?? text).trim(), undefined);
    if (record.role !== 'assistant') return {};
    return line('assistant', text, undefined, toolCalls(content));
  },
  answer: (_event, text) => JSON.stringify(text === undefined ? {} : { additional_context: text }),
};
