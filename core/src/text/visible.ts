import { escapeUnseen, replaceUnseen } from './unseen.ts';

// Longer runs are no writing but a hiding place: naming every character would only unpack the message.
const MOST_NAMED = 8;

// Marks by which models, their servers and their hosts tell who speaks: `<|im_start|>`, `</system-reminder>`, `<tool_result>`,
// `<start_of_turn>`, `[INST]`.
const TAGS = [
  '(?:system|assistant|user|human|developer|tool|function|invoke|think|thinking|bos|eos|s)(?:[-_:][\\w:-]*)?',
  '(?:start|end)_of_turn',
  'command-(?:name|message|args)',
  'local-command-\\w+',
  'parameter(?=\\s+name)',
].join('|');
// A line may end within a tag, and the sign before a quoted line would close it.
const TAG_GOES_ON = '(?:[\\s/>"\\\\]|$)';
const MARKS = [
  `<(?=[|\uff5c]|<\\/?SYS>|\\/?(?:antml:)?(?:${TAGS})${TAG_GOES_ON})`,
  '\\[(?=\\/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\\])',
];
const SPEAKER_MARK = new RegExp(MARKS.join('|'), 'gi');

/**
 * Shows what hides in a line: unseen characters become `\u{202E}`, repeated ones
 * `\u{200B}×12`, and marks that pass for the model's own markup lose their bracket. Other text stays as it is.
 */
export function makeVisible(line: string): string {
  return replaceUnseen(line, name).replace(SPEAKER_MARK, escaped);
}

function name(hidden: string): string {
  const runs: { character: string; times: number }[] = [];
  for (const character of hidden) {
    const last = runs.at(-1);
    if (last?.character === character) last.times += 1;
    else runs.push({ character, times: 1 });
  }
  const named = runs
    .slice(0, MOST_NAMED)
    .map(({ character, times }) => escaped(character) + (times === 1 ? '' : `×${times}`));
  const rest = runs.slice(MOST_NAMED).reduce((sum, { times }) => sum + times, 0);
  return named.join('') + (rest === 0 ? '' : `[+${rest} hidden]`);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

/**
 * A value as JSON that holds stored text exactly and inertly: line breaks, hidden characters and what passes for a host's own
 * markup are written as escapes, which mean exactly the same within JSON.
 */
export function toInertJson(value: unknown): string {
  return escapeUnseen(JSON.stringify(value)).replace(SPEAKER_MARK, (mark) =>
    mark === '<' ? '\\u003c' : '\\u005b',
  );
}
