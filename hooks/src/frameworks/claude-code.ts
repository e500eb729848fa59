import { asFields, type Fields, textField } from '../files/fields.ts';
import {
  contentText,
  eventOf,
  type HookEvent,
  type HookFramework,
  type Marks,
  type TranscriptLine,
  toolCalls,
  withoutMarked,
} from './framework.ts';

// What the host puts into the user's mouth.
const NOT_SAID =
  /^(?:<(?:command-|local-command-|bash-|task-notification)|Caveat: The messages below|\[Request interrupted)/;
const REMINDER: Marks = ['<system-reminder>', '</system-reminder>'];

/** Claude Code: https://code.claude.com/docs/en/hooks */
export const claudeCodeFramework: HookFramework = {
  id: 'claude-code',
  // Longer answers are replaced by a preview and the path of a file.
  maxCharacters: 9_900,
  timesNameTurns: true,
  toEvent: (input) => sessionEvent(input),
  toLine: (record) => {
    if (record.isMeta || record.isSidechain || record.isCompactSummary || record.isApiErrorMessage) return {};
    const at = textField(record, 'timestamp');
    const { role, content } = asFields(record.message);
    if (record.type === 'assistant' && role === 'assistant') {
      return line('assistant', contentText(content).trim(), at, toolCalls(content));
    }
    if (record.type !== 'user' || role !== 'user') return {};
    const said = withoutMarked(contentText(content), REMINDER).trim();
    return NOT_SAID.test(said) ? {} : line('user', said, at);
  },
  answer: (_event, text) => text ?? '',
};

const POINTS = {
  SessionStart: 'start',
  UserPromptSubmit: 'prompt',
  PreCompact: 'compaction',
  PostCompact: 'turn',
  Stop: 'turn',
  SessionEnd: 'end',
} as const;

/** The events that Claude Code shares with the hosts that follow it. */
export function sessionEvent(input: Fields): HookEvent | undefined {
  // A subagent is somebody else: a summary of its conversation is none of the session's.
  if (input.agent_id) return undefined;
  const event = eventOf(input, POINTS);
  if (event?.point === 'start' && input.source === 'compact') return { ...event, point: 'recover' };
  const said = saidIn(input);
  return event?.point === 'turn' && said !== undefined
    ? { ...event, said: { role: 'assistant', content: said } }
    : event;
}

/** The answer that ended a turn, or the host's own summary of what it has compacted. */
function saidIn(input: Fields): string | undefined {
  const summary = textField(input, 'compact_summary');
  if (summary !== undefined) return `Summary of the conversation at its compaction:\n${summary}`;
  return textField(input, 'last_assistant_message');
}

/** A line of a transcript; empty without text and tool calls. */
export function line(
  role: string,
  content: string,
  at: string | undefined,
  tools: readonly string[] = [],
): TranscriptLine {
  const milliseconds = Date.parse(at ?? '');
  // The service takes no other years.
  const isMoment = milliseconds >= Date.parse('0001-01-01') && milliseconds < Date.parse('+010000-01-01');
  const time = isMoment ? { at: new Date(milliseconds).toISOString() } : {};
  return {
    ...time,
    ...(content === '' ? {} : { turn: { role, content, ...('at' in time ? { occurred_at: time.at } : {}) } }),
    ...(tools.length === 0 ? {} : { tools }),
  };
}
