import type { Recalled } from './contract.ts';

/** Cuts a content of more than `most` characters to the passage that matched, or to its start where there is none. */
export function cutToPassage(result: Recalled, most: number): Recalled {
  const { content, passage } = result;
  if (content.length <= most) return result;
  const start = passage?.start ?? 0;
  const cut = content.slice(start, Math.min(passage?.end ?? content.length, start + most));
  // Never half a character.
  return { ...result, content: cut.replace(/[\ud800-\udbff]$/, ''), truncated: true };
}
