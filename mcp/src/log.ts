import type { LoggingLevel, ServerContext } from '@modelcontextprotocol/server';
import type { ClientState } from './client-state.ts';

const LEVELS: readonly LoggingLevel[] = [
  ...(['debug', 'info', 'notice', 'warning'] as const),
  ...(['error', 'critical', 'alert', 'emergency'] as const),
];
const LOGGER = 'svc';

/**
 * Sends a message to the client's log if it asked for messages of this level: by `logging/setLevel`, or since 2026-07-28
 * with the request. No text of a memory is logged.
 */
export async function log(
  { mcpReq }: ServerContext,
  { logLevel }: ClientState,
  level: LoggingLevel,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const isModern = mcpReq.envelope !== undefined;
  const asked = isModern || (logLevel !== undefined && LEVELS.indexOf(level) >= LEVELS.indexOf(logLevel));
  // The library looks into the envelope itself.
  if (asked) await mcpReq.log(level, data, LOGGER);
}
