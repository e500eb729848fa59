import { fields } from '@svc-memory/core/contract';

// A request holds at most 1 MiB, whatever the text's encoding.
const MOST_CHARACTERS = 131_072;

/** Splits memories to store into what one request holds. */
export function inChunks<M extends { readonly content: string }>(memories: readonly M[]): M[][] {
  const chunks: M[][] = [];
  let room = 0;
  for (const memory of memories) {
    const last = chunks.at(-1);
    if (last && memory.content.length <= room && last.length < fields.LIMITS.batch) last.push(memory);
    else {
      chunks.push([memory]);
      room = MOST_CHARACTERS;
    }
    room -= memory.content.length;
  }
  return chunks;
}
