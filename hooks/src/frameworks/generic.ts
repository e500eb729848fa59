import { contentText, type Framework, fieldsOf, momentOf, textOf, toolCalls } from '../framework.ts';
import { claudeCode, line } from './claude-code.ts';

const KINDS = {
  'session-start': 'start',
  'after-compaction': 'recover',
  'before-compaction': 'compaction',
  'turn-end': 'turn',
  'session-end': 'end',
} as const;

/** Names of the events that the generic script takes. */
export const GENERIC_EVENTS = Object.keys(KINDS) as readonly (keyof typeof KINDS)[];

/** Any other host: the event is an argument, the answer plain text; transcripts are lines of `{role, content}`. */
export const generic: Framework = {
  id: 'generic',
  toMoment: (input) => momentOf(input, KINDS),
  toLine: (record) => {
    if ('message' in record)
      return claudeCode.toLine({ ...record, type: record.type ?? fieldsOf(record.message).role });
    const at = textOf(record, 'timestamp', 'occurred_at', 'created_at');
    const role = textOf(record, 'role');
    if (role === undefined || role === 'system' || role === 'tool') return {};
    return line(role.slice(0, 64), contentText(record.content).trim(), at, toolCalls(record.content));
  },
  answer: (_event, text) => text ?? '',
};
