import { mapInSlices } from '../../kernel/runtime/event-loop.ts';
import { segmenterOf } from '../../text/segmenter.ts';
import { cutText } from '../../text/truncate.ts';

/** What one episode says, in pieces that can stand alone. */
export interface Sentence {
  /** Place of the episode among those given. */
  readonly episode: number;
  /** Who says it, where the episode begins with a name and a colon. */
  readonly speaker: string;
  readonly text: string;
}

const LABEL = /^[^\p{L}\p{N}\n]{0,8}(\p{L}[\p{L}\p{N} ._-]{0,40}):\s+/u;
const LONGEST = 280;
const LEAST_LETTERS = 8;
/** UTF-16 code units of an episode that are read. */
export const MOST_READ = 8_000;

/** Splits episodes into sentences, in order; long ones are cut, and those too short to say anything are left out. */
export async function splitSentences(contents: readonly string[]): Promise<Sentence[]> {
  const sentences = segmenterOf('en', 'sentence');
  const all = await mapInSlices(contents, (content, episode) => {
    const label = LABEL.exec(content);
    const speaker = label?.[1]?.trim() ?? '';
    const said = content.slice(label?.[0].length ?? 0, MOST_READ);
    return said.split(/\n+/).flatMap((line) =>
      [...sentences.segment(line)].flatMap(({ segment }) => {
        const whole = segment.replace(/\s+/g, ' ').trim();
        const text = whole.length > LONGEST ? `${cutText(whole, LONGEST)}…` : whole;
        const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
        return letters < LEAST_LETTERS ? [] : [{ episode, speaker, text }];
      }),
    );
  });
  return all.flat();
}
