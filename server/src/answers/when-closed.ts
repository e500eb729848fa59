import type { ServerResponse } from 'node:http';

/**
 * Runs `then` when an answer has been sent or its client has left. Where that was before, as after an await, the event `close`
 * would never come: `then` runs now.
 */
export function whenClosed(response: ServerResponse, then: () => void): void {
  if (response.closed) then();
  else response.once('close', then);
}
