import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/**
 * Who may call a route.
 * `public`: anyone. `read`: any API key or the human. `write`: an API key of scope `full`, or the human.
 * `agent`: an API key of scope `full` only. `session`: such a key plus the agent's session key. `human`: a
 * dashboard session, never an API key.
 */
export type Access = 'public' | 'read' | 'write' | 'agent' | 'session' | 'human';

/**
 * How a call counts against the monthly operations: `free` never, `counted` always but never refused (an agent does
 * not lose itself over a bill), `limited` counted and refused with `QUOTA_EXCEEDED` over the limit.
 */
export type Metering = 'free' | 'counted' | 'limited';

/** One operation of the service, written down once for server, client, OpenAPI and tools. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`; parameters as `{id}`. */
  readonly path: string;
  /** Path of the GET form that takes the same fields as query parameters. */
  readonly alsoGet?: string;
  readonly access: Access;
  readonly metering: Metering;
  readonly summary: string;
  /** Section of the interface specification (or of the design where the spec is silent). */
  readonly spec: string;
  /** Path parameters, query parameters and body fields together, flat and strict. */
  readonly request: z.ZodObject;
  /** The answer without `success`. */
  readonly response: z.ZodType;
  /** Whether the body may also be files: `multipart/form-data` with parts named `file`, or one file as it is. */
  readonly upload?: true;
  /** Content type of what the route streams in place of JSON, by the value of its `format` parameter. */
  readonly streams?: Readonly<Record<string, string>>;
  /** Codes this route adds to those every route can answer. */
  readonly errors?: readonly ErrorCode[];
  /** False where a replay of the stored answer would be wrong (it holds a secret). GET routes are never replayed. */
  readonly idempotent?: false;
}

/** Declares a route and keeps its schema types. */
export function route<const R extends Route>(definition: R): R {
  return definition;
}
