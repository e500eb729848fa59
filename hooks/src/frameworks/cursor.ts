import { contentText, type Framework, fieldsOf, momentOf, toolCalls } from '../framework.ts';
import { line } from './claude-code.ts';

const KINDS = { sessionStart: 'start', preCompact: 'compaction', stop: 'turn', sessionEnd: 'end' } as const;
const QUERY = /<user_query>([\s\S]*?)<\/user_query>/;

/** Cursor: https://cursor.com/docs/agent/hooks */
export const cursor: Framework = {
  id: 'cursor',
  toMoment: (input) => momentOf(input, KINDS, ['conversation_id', 'session_id']),
  toLine: (record) => {
    const { content } = fieldsOf(record.message);
    const text = contentText(content).trim();
    if (record.role === 'user') return line('user', (QUERY.exec(text)?.[1] ?? text).trim(), undefined);
    if (record.role !== 'assistant') return {};
    return line('assistant', text, undefined, toolCalls(content));
  },
  answer: (_event, text) => JSON.stringify(text === undefined ? {} : { additional_context: text }),
};
