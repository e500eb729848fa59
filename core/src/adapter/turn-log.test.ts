import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { routes } from '../app/contract.ts';
import { TurnLog } from './turn-log.ts';
import type { Turn } from './turns.ts';

const turn = (said: string): Turn => ({
  role: said === said.toUpperCase() ? 'assistant' : 'user',
  content: said,
});
const turns = (said: string) => said.split(' ').map(turn);

/** What the service keeps of histories as they are sent, call by call: it numbers equal turns within a transcript. */
async function kept(histories: readonly (readonly Turn[])[]): Promise<string[]> {
  const log = new TurnLog();
  const all: string[] = [];
  const known = new Set<string>();
  for (const history of histories) {
    log.add(history, false);
    await log.send(async (transcript) => {
      const times = new Map<string, number>();
      for (const { content } of transcript) {
        const number = times.get(content) ?? 0;
        times.set(content, number + 1);
        const name = `${content} ${number}`;
        if (!known.has(name)) all.push(content);
        known.add(name);
      }
    });
  }
  return all;
}

describe('what is kept of a conversation', () => {
  it.each([
    ['that grows', ['yes', 'yes A yes', 'yes A yes B yes'], 'yes A yes B yes'],
    [
      'of which only the last messages are sent',
      ['yes A yes', 'A yes B yes', 'B yes C yes'],
      'yes A yes B yes C yes',
    ],
    [
      'whose window moves by more than it shows twice',
      ['hi A yes B', 'B yes C yes', 'yes D ok'],
      'hi A yes B yes C yes D ok',
    ],
    [
      'with a first message that stays',
      ['plan A yes', 'plan A yes B yes', 'plan B yes C yes'],
      'plan A yes B yes C yes',
    ],
    ['that is answered anew', ['hi', 'hi A', 'hi', 'hi B', 'hi B yes'], 'hi A B yes'],
    ['whose call is repeated', ['hi A yes', 'hi A yes', 'hi A yes B'], 'hi A yes B'],
    ['that a human edits', ['hi A yes B', 'hi A no', 'hi A no C yes'], 'hi A yes B no C yes'],
    ['that is sent whole once more', ['hi A yes B', 'yes B no', 'hi A yes B no C'], 'hi A yes B no C'],
    [
      'whose answer was stopped, and comes back as far as it was shown',
      ['hi ABC', 'hi AB yes D', 'hi AB yes D ok'],
      'hi ABC yes D ok',
    ],
    ['that is answered anew, and shorter', ['hi ABC', 'hi AB', 'hi AB yes'], 'hi ABC AB yes'],
  ])('%s', async (_, histories, expected) => {
    expect((await kept(histories.map(turns))).join(' ')).toBe(expected);
  });

  it('is sent in requests that the service takes, however often the same is asked and answered', async () => {
    const polls = (size: number) =>
      Array.from({ length: size }, (_, place) => turn(place % 2 === 0 ? 'done?' : 'NOT YET'));
    const log = new TurnLog();
    const sent: Turn[] = [];
    for (const history of [polls(1_600), polls(2_002), polls(2_400), [...polls(2_400), turn('thanks')]]) {
      log.add(history, false);
      await log.send(async (transcript) => {
        routes.compaction.request.parse({ transcript });
        sent.push(...transcript);
      });
    }
    expect(sent.at(-1)?.content).toBe('thanks');
  });

  it('is each turn once, in its order, however many of the last messages are sent', async () => {
    const said = fc.array(fc.constantFrom('yes', 'no', 'ok'), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(said, fc.integer({ min: 2, max: 9 }), async (words, size) => {
        // No answer is like another.
        const all = words.flatMap((word, place) => [turn(word), turn(`ANSWER ${place}`)]);
        const calls = words.map((_, place) => all.slice(0, 2 * place + 1).slice(-size));
        const histories = calls.flatMap((shown, place) => [
          shown,
          [...shown, ...all.slice(2 * place + 1, 2 * place + 2)],
        ]);
        expect(await kept(histories)).toEqual(all.map(({ content }) => content));
      }),
    );
  });
});
