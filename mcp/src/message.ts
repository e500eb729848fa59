import { type JSONRPCMessage, ProtocolErrorCode, parseJSONRPCMessage } from '@modelcontextprotocol/server';

export type Id = string | number;

/** Why something is no message. Without a code it is not answered. */
export interface Problem {
  readonly problem: string;
  readonly code?: ProtocolErrorCode;
  readonly id?: Id | undefined;
}

/**
 * Reads JSON as a message of JSON-RPC 2.0, or says why it is none.
 *
 * @param what What the JSON came as.
 */
export function readMessage(
  value: unknown,
  what: 'line' | 'body',
): { readonly message: JSONRPCMessage } | Problem {
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    return notAMessage(value, what);
  }
}

function notAMessage(value: unknown, what: string): Problem {
  const problem = Array.isArray(value)
    ? `Invalid request: send one message a ${what}; batches are not taken`
    : `Invalid request: the ${what} is not a JSON-RPC 2.0 message`;
  const fields: Readonly<Record<string, unknown>> = Object(value);
  // An answer that is wrong must not be answered: both sides could go on for ever.
  if ('result' in fields || 'error' in fields) return { problem };
  return { code: ProtocolErrorCode.InvalidRequest, problem, id: isId(fields.id) ? fields.id : undefined };
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}
