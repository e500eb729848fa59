import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { SpaceRight } from './fields.ts';

/**
 * Who may call a route.
 * `public`: anyone. `read`: any API key or the human. `write`: an API key of scope `full`, or the human.
 * `agent`: an API key of scope `full` only. `session`: such a key plus the agent's session key. `human`: a
 * dashboard session, never an API key.
 */
export type Access = 'public' | 'read' | 'write' | 'agent' | 'session' | 'human';

/**
 * How a call counts against the monthly operations: `free` never, `counted` always but never refused, `limited` counted and
 * refused: with `QUOTA_EXCEEDED` over the limit, with `FORBIDDEN` after a trial. `meteringOf` says it of one call.
 *
 * `limited` is what stores, changes or makes something (memories, files, work, dates, spaces, reflections) and what an agent
 * searches. All else goes on, since an agent does not lose itself over a bill: boot, compaction and sync; reading and export; what
 * deletes or takes back; what decides, sets, or reports.
 */
export type Metering = 'free' | 'counted' | 'limited';

/**
 * How a route serves a user. `own`: it works on what is the user's. `first`: it reads one thing that is the user's, or else the
 * agent's own. `both`: it reads what is the user's and the agent's own. `open`: it has no `user_id`, and a key that is bound to a
 * user may call it all the same.
 */
type UserRouting = 'own' | 'first' | 'both' | 'open';

/** One operation of the service, written down once for server, client, OpenAPI and tools. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`; parameters as `{id}`. */
  readonly path: string;
  /** Path of the GET form that takes the same fields as query parameters. */
  readonly alsoGet?: string;
  readonly access: Access;
  /** True where a human decides: a caller in the same process, who has no credential, is then refused too. */
  readonly humanDecides?: true;
  readonly metering: Metering;
  readonly summary: string;
  /** Path parameters, query parameters and body fields together, flat and strict. */
  readonly request: z.ZodObject;
  /** The answer without `success`. */
  readonly response: z.ZodType;
  /**
   * Fields in which secrets stay, since they are used and not kept, or are taken out later, where the text is known.
   * Everywhere else they are taken out before the operation begins.
   */
  readonly verbatim?: readonly string[];
  /** Whether the body may also be files: `multipart/form-data` with parts named `file`, or one file as it is. */
  readonly upload?: true;
  /** Content type of what the route streams in place of JSON, by the value of its `format` parameter. */
  readonly streams?: Readonly<Record<string, string>>;
  /** Codes this route adds to those every route can answer. */
  readonly errors?: readonly ErrorCode[];
  /**
   * True where the operation counts its use in every case: an API key that was found in the cache is then verified by that
   * commit. The engine throws where one does not.
   */
  readonly verifiesKeyOnCommit?: true;
  /**
   * How the route serves a user of the agent, whom its field `user_id` names; see `UserRouting`. Without it the route is about
   * the agent alone, and no key that is bound to a user may call it.
   */
  readonly users?: UserRouting;
  /**
   * The least right that a call needs in the space that its field `space_id` names. Where that is `read` and the call names none,
   * it reads all spaces of the agent beside what is its own, as `users` says (`both`, `first`).
   */
  readonly spaces?: SpaceRight;
  /** True where it reads all spaces of the agent beside what is its own although it may write, or has no users. */
  readonly readsSpaces?: true;
  /** True where the call can be asked of one version of a memory alone: `CallOptions.ifMatch`, over REST `If-Match`. */
  readonly conditional?: true;
  /** False where a replay of the stored answer would be wrong (it holds a secret). GET routes are never replayed. */
  readonly idempotent?: false;
}

/**
 * How one call of a route counts. What a human reads is free: looking at memories takes nothing of what the agent may do, and after
 * a trial a human can still find what to export and what to delete.
 */
export function meteringOf(
  { metering, access }: Route,
  { isHuman }: { readonly isHuman: boolean },
): Metering {
  return isHuman && access === 'read' ? 'free' : metering;
}

/** Declares a route and keeps its schema types. */
export function route<const R extends Route>(definition: R): R {
  return definition;
}

/** The same where nothing can be changed, so that callers may pass constants, too. */
type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;
/** What a caller passes to a route, path parameters included. */
export type InputOf<R extends Route> = DeepReadonly<z.input<R['request']>>;
/** The same after its schema: defaults filled in, times as `Date`. */
export type ParsedOf<R extends Route> = z.output<R['request']>;
export type OutputOf<R extends Route> = z.output<R['response']>;

/** What can accompany any call. */
export interface CallOptions {
  /** Makes a writing call safe to repeat: the same key within 24 h gives the first answer. */
  readonly idempotencyKey?: string | undefined;
  /** The `version` a memory must still have for a change or deletion of it to apply; otherwise `CONFLICT`. */
  readonly ifMatch?: number | undefined;
  /** The agent's session key, where a call needs it. */
  readonly sessionKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Address at which the caller reached the service, for set-up steps; a server sets it. */
  readonly serviceUrl?: string | undefined;
}

type Method<R extends Route> =
  Record<never, never> extends InputOf<R>
    ? (input?: InputOf<R>, options?: CallOptions) => Promise<OutputOf<R>>
    : (input: InputOf<R>, options?: CallOptions) => Promise<OutputOf<R>>;

/** One method for each route, taking the route's request fields and answering its response. */
export type Methods<Routes extends Readonly<Record<string, Route>>> = {
  readonly [Name in keyof Routes]: Method<Routes[Name]>;
};

/** Makes one method for each route, all by the same call. */
export function createMethods<Routes extends Readonly<Record<string, Route>>>(
  routes: Routes,
  call: (name: keyof Routes & string, input?: unknown, options?: CallOptions) => Promise<object>,
): Methods<Routes> {
  const methods = Object.keys(routes).map((name) => [
    name,
    (input?: unknown, options?: CallOptions) => call(name, input, options),
  ]);
  return Object.fromEntries(methods) as Methods<Routes>;
}
