import { Agent, request } from 'node:http';

/** Milliseconds between two calls of `/health`, whether the one before was answered or not. */
const EVERY_MS = 20;
const GIVE_UP_MS = 60_000;

/** What calls of `/health` took, in milliseconds; those without an answer by their number. */
export interface Samples {
  readonly answered: readonly number[];
  readonly unanswered: number;
}

// A process of its own: neither the service nor whoever loads it may delay the clock. The parent says when to begin
// and to end a series.
const agent = new Agent({ keepAlive: true });
const url = process.argv[2] ?? '';
let answered: number[] = [];
let unanswered = 0;
let series = 0;
const underWay = new Set<Promise<void>>();
let timer: NodeJS.Timeout | undefined;

function look(): void {
  const own = series;
  const began = performance.now();
  const call = new Promise<void>((resolve) => {
    const end = (ok: boolean) => {
      if (own === series) {
        if (ok) answered.push(performance.now() - began);
        else unanswered += 1;
      }
      resolve();
    };
    const sent = request(`${url}/health`, { agent, timeout: GIVE_UP_MS }, (response) => {
      response.resume();
      response.once('end', () => end(response.statusCode === 200));
      response.once('error', () => end(false));
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer')));
    sent.once('error', () => end(false));
    sent.end();
  });
  underWay.add(call);
  void call.then(() => underWay.delete(call));
}

process.on('message', (what: 'begin' | 'end') => {
  clearInterval(timer);
  if (what === 'begin') {
    series += 1;
    answered = [];
    unanswered = 0;
    timer = setInterval(look, EVERY_MS);
    return;
  }
  void Promise.all(underWay).then(() => process.send?.({ answered, unanswered } satisfies Samples));
});
process.send?.('ready');
