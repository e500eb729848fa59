/** How a window asks for its turn: only where no other has it, behind the others, or before them. */
type Asking = 'first' | 'queue' | 'take';

/**
 * Does some work in one window of this browser at a time: in the one that the human has looked at last, as browsers slow down or
 * freeze those that are out of sight. Another window takes over when it is looked at, or when that one is closed.
 *
 * Browsers have Web Locks only where the page came over https or from this machine.
 *
 * @param work Goes on until its signal aborts. `takesOver` says whether another window did it before.
 */
export async function inOneWindow(
  name: string,
  signal: AbortSignal,
  work: (turn: AbortSignal, takesOver: boolean) => Promise<void>,
): Promise<void> {
  let asking: Asking = 'first';
  while (!signal.aborted) {
    let hadTurn = false;
    const turn = new AbortController();
    const waiting = waitUnseen(signal);
    const options = {
      first: { ifAvailable: true },
      queue: { signal: waiting.signal },
      take: { steal: true },
    }[asking];
    const takesOver = asking !== 'first';
    // Rejects when another window takes over, and when the waiting ends.
    await navigator.locks
      .request(name, options, async (lock) => {
        hadTurn = lock !== null;
        if (hadTurn) await work(AbortSignal.any([signal, turn.signal]), takesOver);
      })
      .catch(() => undefined);
    turn.abort();
    waiting.end();
    asking = !hadTurn && isSeen() ? 'take' : 'queue';
  }
}

const isSeen = () => document.visibilityState === 'visible';

/** A signal that aborts when the window comes into sight. */
function waitUnseen(signal: AbortSignal) {
  const seen = new AbortController();
  const look = () => isSeen() && seen.abort();
  document.addEventListener('visibilitychange', look);
  return {
    signal: AbortSignal.any([signal, seen.signal]),
    end: () => document.removeEventListener('visibilitychange', look),
  };
}
