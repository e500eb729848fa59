/** Who said it stands before what was said, as turns of a conversation are kept. */
const SPEAKER = /^[\w ()-]{1,64}: /;

/** What a memory says, without the speaker that a kept turn begins with. */
export function withoutSpeaker(content: string): string {
  return content.replace(SPEAKER, '');
}
