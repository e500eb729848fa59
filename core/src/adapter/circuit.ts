import type { AgentMemory } from '../app/contract.ts';
import { SvcError } from '../kernel/contract/errors.ts';
import { untilAborted } from '../kernel/runtime/waiting.ts';

/** Longest wait for a service that is asked whether it is back: it may be gone still. */
const PROBE_MS = 30;
/** A call that nobody waits for any more ends after this. */
const LONGEST_CALL_MS = 30_000;
/** Least rest, whatever is asked for: without any, what waits would ask a service that is away again and again. */
const LEAST_REST_MS = 50;
/** A timer takes no more, and ends at once where it is given more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** How long a call may take. */
interface CallLimits {
  /** Milliseconds that it may hold up its caller. */
  readonly patience: number;
  /** Milliseconds within which a service that is well answers. */
  readonly timeoutMs: number;
  /** Milliseconds to leave the service alone where it does not answer in time. */
  readonly cooldownMs: number;
  /** The caller's, which ends the call at once. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Leaves a memory service alone for a while after it gave no answer in time, or said that it cannot answer. Then one call
 * asks again, without holding anybody up; what waits is done as soon as one is answered.
 */
class Circuit {
  #isAway = false;
  /** It is left alone for now. */
  #rests = false;
  /** A call is under way that tells whether it is back. */
  #isProbing = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Calls without an answer yet, also those that nobody waits for any more. */
  #underWay = 0;
  readonly #waiting = new Map<object, () => Promise<void>>();

  /** Whether it gave no answer in time, or could not answer, and no answer came since. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Milliseconds that a call may hold up its caller; undefined where it must not be made now. */
  patience(timeoutMs: number): number | undefined {
    if (!this.#isAway) return timeoutMs;
    if (this.#isProbing || this.#rests) return undefined;
    return Math.min(PROBE_MS, timeoutMs);
  }

  /**
   * Makes a call. Where its caller waits no longer, it goes on behind its back: its answer says that the service is there.
   *
   * @throws the signal's reason, what the call throws, or an error that says how long was waited
   */
  async call<T>(
    work: (signal: AbortSignal) => Promise<T>,
    { patience, timeoutMs, cooldownMs, signal }: CallLimits,
  ): Promise<T> {
    const start = performance.now();
    const ending = AbortSignal.timeout(LONGEST_CALL_MS);
    this.#isProbing = this.#isAway;
    let isLate = false;
    this.#underWay += 1;
    const ended = unlessAborted(work, signal ? AbortSignal.any([signal, ending]) : ending).finally(() => {
      this.#underWay -= 1;
    });
    const answer = ended.then(
      (value) => {
        this.#close(performance.now() - start > timeoutMs);
        return value;
      },
      (error: unknown) => {
        if (signal?.aborted) this.#isProbing = false;
        // What is late was counted then: the service may be back since.
        else if (meansAway(error) && !isLate) this.#open(cooldownMs);
        else if (!meansAway(error)) this.#close(false);
        throw error;
      },
    );
    return within(answer, patience, () => {
      isLate = true;
      this.#open(cooldownMs);
    });
  }

  /** Does something as soon as the service answers; in place of what was to be done then for the same owner. */
  whenBack(owner: object, work: () => Promise<void>): void {
    this.#waiting.set(owner, work);
  }

  /** Leaves the service alone from now on. */
  #open(cooldownMs: number): void {
    this.#isAway = true;
    this.#isProbing = false;
    this.#rests = true;
    this.#retryAfter(cooldownMs);
  }

  /** A call that is under way keeps a program that is done from ending: with one more before its end, for ever. */
  #retryAfter(cooldownMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#rests = false;
        if (this.#underWay > 0) this.#retryAfter(cooldownMs);
        else void this.#retry();
      },
      Math.min(Math.max(LEAST_REST_MS, cooldownMs), LONGEST_TIMER_MS),
    );
    // A program that is done need not wait for it. Browsers have numbers here.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** @param isSlow whether to wait no longer for it than for one that is away, until it answers in time */
  #close(isSlow: boolean): void {
    const wasAway = this.#isAway;
    this.#isAway = isSlow;
    this.#isProbing = false;
    this.#rests = false;
    clearTimeout(this.#timer);
    // Else nothing waits.
    if (wasAway) void this.#retry();
  }

  /** Does what waits, one thing after the other, until the service is away again. Each makes its own calls. */
  async #retry(): Promise<void> {
    for (const [owner, work] of [...this.#waiting]) {
      if (this.#rests) return;
      this.#waiting.delete(owner);
      await work();
    }
  }
}

const circuits = new WeakMap<AgentMemory, Circuit>();

/** The circuit of a memory: all conversations over one object learn together that its service is away. */
export function circuitOf(memory: AgentMemory): Circuit {
  const circuit = circuits.get(memory) ?? new Circuit();
  circuits.set(memory, circuit);
  return circuit;
}

/** Makes two memories of one service learn together that it is away. */
export function shareCircuit(memory: AgentMemory, other: AgentMemory): void {
  circuits.set(other, circuitOf(memory));
}

/** Whether an error says that the service cannot answer now, rather than that it will not. */
function meansAway(error: unknown): boolean {
  return !(error instanceof SvcError) || error.code === 'RATE_LIMITED' || error.status >= 500;
}

/** The answer of a call, if it comes in time. */
async function within<T>(answer: Promise<T>, milliseconds: number, onLate: () => void): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        onLate();
        reject(new Error(`no answer within ${milliseconds} ms`));
      },
      Math.min(milliseconds, LONGEST_TIMER_MS),
    );
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** An engine in this process does not look at the signal while it works. */
async function unlessAborted<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return untilAborted(work(signal), signal);
}
