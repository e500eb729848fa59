import type { PgTable } from 'drizzle-orm/pg-core';
import type { Operation } from './context/context.ts';
import type { HookRules } from './context/hooks.ts';
import type { AuditChain } from './contract/audit-chains.ts';
import type { Route } from './contract/route.ts';
import type { Task } from './queue/task.ts';

type RouteTable = Readonly<Record<string, Route>>;

/** What a feature may have beside its operations. Features that offer more to the others add it by declaration merging. */
export interface FeatureParts {
  /** Its tables; the migrations are made from the schema files. */
  readonly tables?: readonly PgTable[];
  /** Makes what the service does by itself, again and again; called once for each engine. */
  tasks?(): readonly Task[];
  /** The types of the events that it emits, such as `distress.raised`. */
  readonly events?: readonly string[];
  /** The acts that it writes into the audit log, such as `api_key.created`, each with its chain. */
  readonly acts?: Readonly<Record<string, AuditChain>>;
  /** The hooks that it runs, and how. */
  readonly hooks?: HookRules;
}

/** A capability of the service: one folder, whose object names all its parts. */
export interface Feature<Routes extends RouteTable = RouteTable> extends FeatureParts {
  readonly name: string;
  readonly routes: Routes;
  readonly operations: { readonly [Name in keyof Routes]: Operation<Routes[Name]> };
}

export interface AnyFeature extends FeatureParts {
  readonly name: string;
  readonly routes: RouteTable;
  readonly operations: object;
}

/** Declares a feature. A route without an operation, or with one of another type, does not compile. */
export function defineFeature<const Routes extends RouteTable>(feature: Feature<Routes>): Feature<Routes> {
  return feature;
}
