import { extractSentences, type Sentence, splitSentences } from './extract.ts';

/** Most characters of a digest: what boot shows of a memory by default. */
const MOST_CHARACTERS = 600;
const LEAST_CHARACTERS = 320;
/** Share of what the episodes say that a digest keeps. */
const KEPT = 0.2;

export interface Episode {
  readonly content: string;
  readonly occurredAt: Date;
}

/**
 * A digest without a model: the sentences that tell the most, quoted and by speaker, under a line that says of what.
 *
 * @param episodes by time
 */
export async function extractDigest(episodes: readonly Episode[]): Promise<string> {
  const head = `${headOf(episodes)}:`;
  const said = episodes.reduce((sum, { content }) => sum + content.length, 0);
  const characters = Math.min(MOST_CHARACTERS, Math.max(LEAST_CHARACTERS, Math.round(KEPT * said)));
  const sentences = await splitSentences(episodes.map(({ content }) => content));
  const chosen = await extractSentences(sentences, characters - head.length);
  return [head, ...quote(chosen)].join(' ');
}

/** A digest that a model wrote, under the same line. */
export function modelDigest(episodes: readonly Episode[], summary: string): string {
  return `${headOf(episodes)}, summarised by a model: “${summary}”`;
}

function headOf(episodes: readonly Episode[]): string {
  const days = episodes.map(({ occurredAt }) => occurredAt.toISOString().slice(0, 10));
  const [first = '', last = first] = [days[0], days.at(-1)];
  const number = `${episodes.length} episode${episodes.length === 1 ? '' : 's'}`;
  return `${number} of ${first === last ? first : `${first} to ${last}`}`;
}

/** Each sentence stands in quotation marks of its own, since others are left out between them; its speaker is named once. */
function quote(sentences: readonly Sentence[]): string[] {
  const turns: { speaker: string; said: string[] }[] = [];
  for (const { speaker, text } of sentences) {
    const last = turns.at(-1);
    if (last?.speaker === speaker) last.said.push(text);
    else turns.push({ speaker, said: [text] });
  }
  return turns.map(
    ({ speaker, said }) =>
      `${speaker === '' ? '' : `${speaker}: `}${said.map((text) => `“${text}”`).join(' ')}`,
  );
}
