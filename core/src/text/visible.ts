import { replaceUnseen } from './unseen.ts';

// Longer runs are no writing but a hiding place: naming every character would only unpack the message.
const MOST_NAMED = 8;

// Marks by which models and their hosts tell who speaks: `<|im_start|>`, `</system-reminder>`, `<tool_result>`.
export const SPEAKER_MARK =
  /<(?=\||\/?(?:antml:)?(?:system|assistant|user|human|developer|tool|function|invoke)(?:[-_:][\w:-]*)?[\s>])/gi;

/**
 * Shows what hides in a line: unseen characters become `\u{202E}`, repeated ones
 * `\u{200B}×12`, and marks that pass for the model's own markup lose their bracket. Other text stays as it is.
 */
export function makeVisible(line: string): string {
  return replaceUnseen(line, name).replace(SPEAKER_MARK, escaped('<'));
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
