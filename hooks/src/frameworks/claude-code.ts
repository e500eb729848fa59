import {
  contentText,
  type Fields,
  type Framework,
  fieldsOf,
  type Line,
  type Moment,
  momentOf,
  textOf,
  toolCalls,
} from '../framework.ts';

// What the host puts into the user's mouth.
const NOT_SAID =
  /^(?:<(?:command-|local-command-|bash-|task-notification)|Caveat: The messages below|\[Request interrupted)/;
const REMINDERS = /<system-reminder>[\s\S]*?<\/system-reminder>/g;

/** Claude Code: https://code.claude.com/docs/en/hooks */
export const claudeCode: Framework = {
  id: 'claude-code',
  // Longer answers are replaced by a preview and the path of a file.
  maxCharacters: 9_900,
  toMoment: (input) => sessionMoment(input),
  toLine: (record) => {
    if (record.isMeta || record.isSidechain || record.isCompactSummary || record.isApiErrorMessage) return {};
    const at = textOf(record, 'timestamp');
    const { role, content } = fieldsOf(record.message);
    if (record.type === 'assistant' && role === 'assistant') {
      return line('assistant', contentText(content).trim(), at, toolCalls(content));
    }
    if (record.type !== 'user' || role !== 'user') return {};
    const said = contentText(content).replace(REMINDERS, '').trim();
    return NOT_SAID.test(said) ? {} : line('user', said, at);
  },
  answer: (_event, text) => text ?? '',
};

const KINDS = { SessionStart: 'start', PreCompact: 'compaction', Stop: 'turn', SessionEnd: 'end' } as const;

/** The moments of the events that Claude Code and those who follow it share. */
export function sessionMoment(input: Fields): Moment | undefined {
  const moment = momentOf(input, KINDS);
  return moment?.kind === 'start' && input.source === 'compact' ? { ...moment, kind: 'recover' } : moment;
}

/** A line of a transcript, empty where nothing was said and no tool used. */
export function line(
  role: string,
  content: string,
  at: string | undefined,
  tools: readonly string[] = [],
): Line {
  const time = at === undefined || Number.isNaN(Date.parse(at)) ? {} : { at: new Date(at).toISOString() };
  return {
    ...time,
    ...(content === '' ? {} : { turn: { role, content, ...('at' in time ? { occurred_at: time.at } : {}) } }),
    ...(tools.length === 0 ? {} : { tools }),
  };
}
