import { firstCharacters } from '@svc-memory/core/text';
import { asFields, textField } from '../files/fields.ts';
import { storableText } from '../transcript.ts';
import { claudeCodeFramework, line } from './claude-code.ts';
import { contentText, eventOf, type HookFramework, toolCalls } from './framework.ts';

const POINTS = {
  'session-start': 'start',
  prompt: 'prompt',
  'after-compaction': 'recover',
  'before-compaction': 'compaction',
  'turn-end': 'turn',
  'session-end': 'end',
} as const;

/** Names of the events that the generic script takes. */
export const GENERIC_EVENTS = Object.keys(POINTS) as readonly (keyof typeof POINTS)[];

/** Any other host: the event is an argument, the answer plain text; transcripts are lines of `{role, content}`. */
export const genericFramework: HookFramework = {
  id: 'generic',
  toEvent: (input) => eventOf(input, POINTS),
  toLine: (record) => {
    if ('message' in record)
      return claudeCodeFramework.toLine({ ...record, type: record.type ?? asFields(record.message).role });
    const at = textField(record, 'timestamp', 'occurred_at', 'created_at');
    const role = textField(record, 'role');
    if (role === undefined || role === 'system' || role === 'tool') return {};
    return line(
      firstCharacters(storableText(role), 64),
      contentText(record.content).trim(),
      at,
      toolCalls(record.content),
    );
  },
  answer: (_event, text) => text ?? '',
};
