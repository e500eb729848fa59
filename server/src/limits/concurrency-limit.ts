import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises';
import { SvcError } from '@svc-memory/core/contract';
import { quietTurn } from '@svc-memory/core/server';
import type { Request, RequestHandler, Response } from 'express';
import { errorBody } from '../answers/errors.ts';
import { whenClosed } from '../answers/when-closed.ts';

export interface ConcurrencyLimitOptions {
  /** Most calls in progress in this process, waiting ones included. Urgent calls are refused from twice as many on. */
  readonly maxCalls: number;
  /** Transactions that wait for the database now. */
  readonly queued: () => number;
  /** Calls begin only while fewer transactions than this wait for the database. Default 16. */
  readonly maxQueued?: number;
  /** Milliseconds that a call waits before it is refused. Default 5,000. Urgent calls wait as long as it takes. */
  readonly maxWaitMs?: number;
  /** Urgent calls begin before all others. */
  readonly isUrgent?: (request: Request) => boolean;
  /** Calls whose bodies may come slowly. */
  readonly isUpload?: (request: Request) => boolean;
  /** Milliseconds since some fixed moment. Default: the system's clock. */
  readonly now?: () => number;
}

interface CallInProgress {
  readonly request: Request;
  /** Undefined while it waits. */
  begunAt?: number;
}

interface WaitingCall {
  readonly since: number;
  readonly begin: () => void;
  readonly refuse: (retryAfterS: number) => void;
}

const MAX_WAIT_MS = 5_000;
const MAX_QUEUED = 16;
/** Milliseconds of one turn of the event loop in which calls may begin. */
const TURN_MS = 20;
/** Milliseconds in which waiting calls begin one after the other: their writes are then committed together. */
const BEGINNING_MS = 20;
/** Milliseconds between two looks at a busy database. */
const POLL_MS = 1;
/** Milliseconds for which incoming requests are read before waiting calls begin. */
const INCOMING_MS = 100;
/** Beginnings that the pace is the mean of: all of them so far, then a moving average of as many. */
const PACE_OF = 10;
const MAX_RETRY_AFTER_S = 30;
/** Milliseconds from which on a call whose body is not there yet makes room for another one. */
const SENDING_MS = 5_000;

/**
 * Begins calls only as fast as the process and its database finish them. A call that would wait too long at the current
 * pace is refused at once with `UNAVAILABLE` and `Retry-After`; one that has waited too long is refused then. Calls in
 * progress therefore end in time, where thousands of calls at once would all end too late.
 */
export function concurrencyLimit(options: ConcurrencyLimitOptions): RequestHandler {
  const limit = new ConcurrencyLimit(options);
  return (request, response, next) => limit.admit(request, response, next);
}

class ConcurrencyLimit {
  readonly #options: Required<ConcurrencyLimitOptions>;
  readonly #urgent = new Set<WaitingCall>();
  readonly #others = new Set<WaitingCall>();
  readonly #inProgress = new Set<CallInProgress>();
  /** Milliseconds between two calls that begin while others wait, and how many of these it is measured by. */
  #pace = { ms: 0, measured: 0 };
  #lastBegan: number | undefined;
  #turnBegan: number | undefined;
  #isPolling = false;

  constructor(options: ConcurrencyLimitOptions) {
    this.#options = {
      maxQueued: MAX_QUEUED,
      maxWaitMs: MAX_WAIT_MS,
      isUrgent: () => false,
      isUpload: () => false,
      now: () => performance.now(),
      ...options,
    };
  }

  admit(request: Request, response: Response, next: () => void): void {
    const { maxCalls, maxWaitMs, isUrgent } = this.#options;
    const urgent = isUrgent(request);
    const ahead = this.#urgent.size + (urgent ? 0 : this.#others.size);
    const wait = this.#waitBehind(ahead);
    const isFull = this.#inProgress.size >= (urgent ? 2 * maxCalls : maxCalls);
    if (isFull && !this.#endSlowSender()) refuse(response, retryAfter(wait));
    else if (!urgent && wait > maxWaitMs) refuse(response, retryAfter(wait - maxWaitMs));
    else {
      const call: CallInProgress = { request };
      this.#inProgress.add(call);
      whenClosed(response, () => this.#inProgress.delete(call));
      const begin = () => {
        call.begunAt = this.#options.now();
        next();
      };
      if (ahead === 0 && this.#hasRoom()) begin();
      else this.#enqueue(urgent ? this.#urgent : this.#others, response, begin);
    }
  }

  /**
   * Ends a call whose body is still on its way. A client that sends slowly holds its place for a minute, and some hundred of them,
   * which one agent may have, would keep all others out.
   *
   * @returns false where there is none.
   */
  #endSlowSender(): boolean {
    const { isUpload, now } = this.#options;
    const until = now() - SENDING_MS;
    for (const call of this.#inProgress) {
      const { request, begunAt } = call;
      const isLate = begunAt !== undefined && begunAt < until;
      if (!isLate || request.complete || isUpload(request)) continue;
      this.#inProgress.delete(call);
      request.destroy();
      return true;
    }
    return false;
  }

  #enqueue(queue: Set<WaitingCall>, response: Response, begin: () => void): void {
    const waiting: WaitingCall = {
      since: this.#options.now(),
      begin,
      refuse: (seconds) => refuse(response, seconds),
    };
    queue.add(waiting);
    // The client has left: nobody reads the answer.
    whenClosed(response, () => queue.delete(waiting));
    void this.#poll();
  }

  #hasRoom(): boolean {
    if (this.#isDatabaseBusy()) return false;
    if (this.#turnBegan === undefined) {
      this.#turnBegan = performance.now();
      setImmediate(() => {
        this.#turnBegan = undefined;
      });
    }
    return performance.now() - this.#turnBegan < TURN_MS;
  }

  #isDatabaseBusy(): boolean {
    return this.#options.queued() >= this.#options.maxQueued;
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    while (this.#urgent.size + this.#others.size > 0) {
      // Requests that have arrived join the queues first. Those that need not wait, such as `/health`, are answered.
      await quietTurn(INCOMING_MS);
      if (this.#isDatabaseBusy()) await setTimeout(POLL_MS);
      this.#refuseLate();
      const until = performance.now() + BEGINNING_MS;
      while (this.#beginNext() && performance.now() < until) await nextTurn();
    }
    this.#isPolling = false;
    this.#lastBegan = undefined;
    this.#pace = { ms: 0, measured: 0 };
  }

  /**
   * Begins one call in a turn of the event loop: its transactions are then counted before the next call begins.
   *
   * @returns false where none waits that has room.
   */
  #beginNext(): boolean {
    for (const queue of [this.#urgent, this.#others]) {
      const [first] = queue;
      if (!first || !this.#hasRoom()) continue;
      queue.delete(first);
      this.#measurePace();
      first.begin();
      return true;
    }
    return false;
  }

  #measurePace(): void {
    const began = this.#options.now();
    if (this.#lastBegan !== undefined) {
      const measured = this.#pace.measured + 1;
      const ms = this.#pace.ms + (began - this.#lastBegan - this.#pace.ms) / Math.min(measured, PACE_OF);
      this.#pace = { ms, measured };
    }
    this.#lastBegan = began;
  }

  /**
   * Milliseconds that a call behind so many others will wait; 0 while few have begun, as a single moment without a
   * processor or a disk would else refuse calls for long.
   */
  #waitBehind(ahead: number): number {
    return this.#pace.measured < PACE_OF ? 0 : ahead * this.#pace.ms;
  }

  #refuseLate(): void {
    const until = this.#options.now() - this.#options.maxWaitMs;
    for (const waiting of this.#others) {
      if (waiting.since > until) return;
      this.#others.delete(waiting);
      waiting.refuse(retryAfter(this.#waitBehind(this.#others.size)));
    }
  }
}

function retryAfter(milliseconds: number): number {
  return Math.min(MAX_RETRY_AFTER_S, Math.max(1, Math.ceil(milliseconds / 1_000)));
}

const REFUSAL = new SvcError('UNAVAILABLE', 'Too many calls are in progress here; try again shortly.');

/** Answers instead of throwing: the error handler would log each of thousands of refusals, which adds to the load. */
function refuse(response: Response, retryAfterS: number): void {
  const { requestId } = response.locals;
  response.locals.errorCode = REFUSAL.code;
  response
    .setHeader('Retry-After', String(retryAfterS))
    .status(REFUSAL.status)
    .json(errorBody(REFUSAL, requestId));
}
