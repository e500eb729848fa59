import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { type Fields, textField } from './files/fields.ts';
import { readPlainFile } from './files/plain-file.ts';
import type { Waiting } from './files/spool.ts';
import { factName } from './files/state.ts';
import type { TranscriptTurn } from './frameworks/framework.ts';
import {
  callOrigin,
  elapsed,
  forgetRefused,
  type Hook,
  keepInjection,
  messageOf,
  ownerOf,
  report,
} from './hook.ts';
import { maySend, namedFor, noteNamed } from './owner.ts';
import {
  backlogOf,
  type FlushStep,
  formatProgress,
  megabytes,
  parseProgress,
  unsentTurns,
} from './progress.ts';
import { CallError } from './service.ts';
import { ToldBeside } from './told-beside.ts';
import { turnDigest } from './transcript.ts';

const MOST_REQUEST_MS = 3_000;
const MOST_WORKING_CHARACTERS = 524_288;
const REST_MS = 30_000;
const AWAY = 'service-away';
/** A hundred years. */
const MOST_WAITED_MS = 36_525 * 86_400_000;

/**
 * Keeps what was said since the last flush: sends what waited, syncs the working-memory file, sends the new turns and
 * saves `SVC.md` from the answer. What cannot be sent waits on this machine.
 *
 * @param until Milliseconds since the process began at which it must be over.
 */
export async function flush(hook: Hook, until: number): Promise<void> {
  const { event, framework, state } = hook;
  const sender = new Sender(hook, until);
  const isCompaction = event.point === (framework.summarizedAt ? 'recover' : 'compaction');
  // A turn is not urgent: it does not wait again for a service that has just not answered.
  const rests = event.point === 'turn' && state.isRecent(AWAY, REST_MS);
  if (rests) sender.giveUp('the service did not answer a moment ago');
  await sendWaiting(hook, sender);
  await syncWorking(hook, sender);

  const sent = await sendTurns(hook, sender, { until, isCompaction });
  if (isCompaction && !sent.some) {
    const body = { phase: 'pre', ...callOrigin(hook), flush: 'compaction' };
    if (!(await sender.send('/webhooks/compaction', body))) {
      const detail = sender.reason ?? 'there was no time left';
      report(hook, { kind: 'compaction', outcome: 'spooled', detail });
    }
  }
  if (await sender.askWhose()) await sendWaiting(hook, sender);
  if (sender.injection !== undefined) keepInjection(hook, sender.injection);
  if (!rests) noteOutcome(hook, sender, sent.waits);
}

/**
 * Sends the new turns, and then older ones as long as there is time.
 *
 * @returns whether some were sent, and how many requests wait on this machine
 */
async function sendTurns(
  hook: Hook,
  sender: Sender,
  { until, isCompaction }: { readonly until: number; readonly isCompaction: boolean },
): Promise<{ readonly some: boolean; readonly waits: number }> {
  const { say, state } = hook;
  const numbers = new NumbersOfTurns(hook);
  const told = new ToldBeside(hook);
  let some = false;
  let waits = 0;
  let left = 0;
  for (const step of stepsOf(hook, told)) {
    if (step.turns.length > 0) {
      const transcript = step.turns.map((turn) => waitingTurn(numbers.name(turn)));
      const body = { phase: 'pre', ...callOrigin(hook), transcript };
      // The first call tells of the compaction.
      const kind = isCompaction && !some ? 'compaction' : 'turn';
      if (await sender.send('/webhooks/compaction', { ...body, flush: kind })) some = true;
      else if (letWait(hook, sender, step, { ...body, flush: 'turn' })) waits += 1;
      else break;
    }
    told.save();
    if (step.progress) {
      left = backlogOf(step.progress);
      state.write(progressFact(hook), formatProgress(step.progress));
      numbers.save(step.progress.end);
    }
    // Reading takes time, too, where nobody said anything in what is read.
    if (step.isOlder && elapsed() >= until) break;
  }
  if (left > 0) say(`${megabytes(left)} of older turns wait in the transcript; the next hooks send them`);
  return { some, waits };
}

/** Has turns that could not be sent wait on this machine; false where they stay in the transcript, for the next hook. */
function letWait(hook: Hook, sender: Sender, step: FlushStep, body: Fields): boolean {
  const { event, say } = hook;
  if (step.isOlder) return false;
  // Out of time with a service that answers: the next hook goes on from here, unless there may be none.
  if (sender.isOutOfTime && event.point !== 'end') {
    say('no time was left for new turns; they stay in the transcript, and the next hook sends them');
    return false;
  }
  if (hook.spool.add({ path: '/webhooks/compaction', body }, ownerOf(hook))) return true;
  say('no room is left for unsent turns; they stay in the transcript');
  return false;
}

/** Says why sending has stopped, and remembers for the next turn whether the service answers. */
function noteOutcome({ say, state }: Hook, { reason, hung }: Sender, waits: number): void {
  if (reason === undefined) {
    state.remove(AWAY);
    return;
  }
  if (hung) state.write(AWAY, '');
  say(`${reason}; ${waits > 0 ? 'new turns wait on this machine' : 'the last good SVC.md is kept'}`);
}

/** Sends until the service fails once; after that, everything waits. */
class Sender {
  readonly #hook: Hook;
  readonly #until: number;
  /** Why sending has stopped; undefined while it goes on. */
  reason: string | undefined;
  isOutOfTime = false;
  /** Whether a call timed out. */
  hung = false;
  #answered = false;
  /** The newest injection the service answered. */
  injection: string | undefined;

  constructor(hook: Hook, until: number) {
    this.#hook = hook;
    this.#until = until;
  }

  giveUp(reason: string): void {
    this.reason = reason;
  }

  /** True when the service has it, or will never take it. */
  async send(path: string, body: Fields): Promise<boolean> {
    if (this.reason !== undefined) return false;
    const left = this.#until - elapsed();
    if (left <= 0) this.isOutOfTime = true;
    if (this.isOutOfTime) return false;
    try {
      const answer = await this.#hook.service().post(path, body, Math.min(left, MOST_REQUEST_MS));
      this.#answered = true;
      this.injection = textField(answer, 'injection') ?? this.injection;
      return true;
    } catch (error) {
      forgetRefused(this.#hook, error);
      if (error instanceof CallError && error.rejected) {
        this.#hook.say(`${error.message}; this part is left out`);
        return true;
      }
      // A service that answered before is not away: there was too much to send at once.
      if (error instanceof CallError && error.late && this.#answered) this.isOutOfTime = true;
      else this.reason = messageOf(error);
      this.hung ||= error instanceof CallError && error.late;
      return false;
    }
  }

  /** Asks whose the key is, once for each key; true where the service has told it now. */
  async askWhose(): Promise<boolean> {
    const { options, service, state } = this.#hook;
    const left = this.#until - elapsed();
    if (this.reason !== undefined || left <= 0) return false;
    try {
      const { key, get } = service();
      if (namedFor(options.home, key) !== undefined) return false;
      noteNamed(state, options.home, key, await get('/status', {}, Math.min(left, MOST_REQUEST_MS)));
      return namedFor(options.home, key) !== undefined;
    } catch (error) {
      forgetRefused(this.#hook, error);
      // The next hook asks again.
      return false;
    }
  }
}

/** Sends what waits of the agent and user whose the key is. What is of others stays. */
async function sendWaiting(hook: Hook, sender: Sender): Promise<void> {
  const { options, spool } = hook;
  const { key } = ownerOf(hook);
  for (const name of spool.names()) {
    const waiting = spool.read(name);
    if (waiting && !maySend(options.home, waiting.owner, key)) continue;
    if (waiting && !(await sender.send(waiting.path, withWait(waiting)))) return;
    spool.remove(name);
  }
}

/** A request that waited, whose turns say for how long: the service keeps none of a user who was forgotten meanwhile. */
function withWait({ body, since }: Waiting): Fields {
  const { transcript } = body;
  if (!Array.isArray(transcript)) return body;
  const turns: readonly Fields[] = transcript.map(Object);
  return {
    ...body,
    transcript: turns.map((turn) => ({ ...turn, waited_ms: waitSince(since, turn.waited_ms) })),
  };
}

/** A turn that says for how long it stood in the transcript, where that tells when it was said. */
function waitingTurn(turn: TranscriptTurn): TranscriptTurn & { readonly waited_ms?: number } {
  const { occurred_at } = turn;
  return occurred_at === undefined ? turn : { ...turn, waited_ms: waitSince(Date.parse(occurred_at)) };
}

/** Milliseconds since a time and before it, as far as the service takes them; none since it where the clock was set back. */
function waitSince(time: number, before: unknown = 0): number {
  return Math.min(Number(before) + Math.max(0, Date.now() - time), MOST_WAITED_MS) || 0;
}

async function syncWorking({ options, state, say }: Hook, sender: Sender): Promise<void> {
  let content: string;
  try {
    content = readPlainFile(options.working).replaceAll('\u0000', '').toWellFormed();
  } catch {
    return;
  }
  if (content.trim() === '') return;
  if (content.length > MOST_WORKING_CHARACTERS) {
    say(`${options.working} is longer than ${MOST_WORKING_CHARACTERS} characters and is not synced`);
    return;
  }
  const hash = createHash('sha256').update(content).digest('hex');
  if (state.read('working') === hash) return;
  if (await sender.send('/webhooks/memory-sync', { content })) state.write('working', hash);
}

/** What is to be sent: what is new in the transcript, and what the host tells that is not in there yet. */
function* stepsOf(hook: Hook, told: ToldBeside): Generator<FlushStep> {
  const { event, framework, state, say } = hook;
  const { transcriptPath } = event;
  let end = 0;
  try {
    const complete = event.point !== 'turn' && event.point !== 'start';
    const progress = parseProgress(state.read(progressFact(hook)));
    if (transcriptPath !== undefined) {
      for (const step of unsentTurns(transcriptPath, framework.toLine, { progress, complete })) {
        end = step.progress?.end ?? end;
        // Behind what is new, and before what is older and may have to wait for the next hook.
        if (step.isOlder) yield* told.untold(end);
        yield told.leaveOut(step);
      }
    }
  } catch (error) {
    // A session that has said nothing yet has no transcript.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
      say(`the transcript cannot be read: ${messageOf(error)}`);
    }
  }
  yield* told.untold(end);
}

/** Names turns where their host does not tell equal ones apart, so that words said again are kept again, and sent again are not. */
class NumbersOfTurns {
  readonly #hook: Hook;
  readonly #fact: string;
  /** By the digest of a turn without a time, how many such turns the transcript had before. */
  readonly #times: Record<string, number>;
  #isNew = false;

  constructor(hook: Hook) {
    this.#hook = hook;
    this.#fact = factName('said', hook.event.sessionId ?? '', hook.event.transcriptPath ?? '');
    this.#times = this.#read();
  }

  name(turn: TranscriptTurn): TranscriptTurn {
    if (turn.id !== undefined) return turn;
    if (turn.occurred_at !== undefined)
      return this.#hook.framework.timesNameTurns ? { ...turn, id: turn.occurred_at } : turn;
    const digest = turnDigest(turn).slice(0, 16);
    const before = this.#times[digest] ?? 0;
    this.#times[digest] = before + 1;
    this.#isNew = true;
    return { ...turn, id: `${this.#fact} ${before}` };
  }

  /** Remembers what was named, once it is sent. */
  save(end: number): void {
    if (this.#isNew) this.#hook.state.write(this.#fact, JSON.stringify({ end, times: this.#times }));
  }

  #read(): Record<string, number> {
    try {
      const { end, times } = JSON.parse(this.#hook.state.read(this.#fact) ?? '');
      // A shorter transcript is read from its start again.
      return Number(end) <= statSync(this.#hook.event.transcriptPath ?? '').size ? Object(times) : {};
    } catch {
      return {};
    }
  }
}

/** Name of the fact how far a transcript is sent. */
function progressFact({ event }: Hook): string {
  return factName('read', event.sessionId ?? '', event.transcriptPath ?? '');
}
