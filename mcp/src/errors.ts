import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { textOfResult, toToolError } from '@svc-memory/core/tools';

/** An error for requests whose answers have no place for one: prompts and completions. */
export function toProtocolError(thrown: unknown): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  const { code } = toToolError(thrown);
  const isMistake = code === 'VALIDATION_ERROR' || code === 'NOT_FOUND';
  return new ProtocolError(
    isMistake ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    textOfResult(toToolError(thrown)),
  );
}

/** The same for resources; the library writes one that does not exist as 2026-07-28 wants it, with its address as data. */
export function toResourceError(thrown: unknown, uri: string): ProtocolError {
  return toToolError(thrown).code === 'NOT_FOUND'
    ? new ResourceNotFoundError(uri, textOfResult(toToolError(thrown)))
    : toProtocolError(thrown);
}
