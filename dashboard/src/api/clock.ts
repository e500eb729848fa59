/** Below this, what a message takes may be all of the difference. */
const NOTICED_MS = 60_000;

/** How far the clock of the service is ahead of that of this machine. */
let aheadMs = 0;

/** Compares the clock of this machine with the time that an answer of the service names. */
export function compareClocks(answer: Response): void {
  const difference = Date.parse(answer.headers.get('Date') ?? '') - Date.now();
  if (Number.isNaN(difference)) return;
  aheadMs = Math.abs(difference) < NOTICED_MS ? 0 : difference;
}

/** The time now in milliseconds, by the clock of the service: what it does in time goes by that. */
export function serviceNow(): number {
  return Date.now() + aheadMs;
}
