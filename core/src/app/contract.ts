import { type Merged, mergeAll } from '../kernel/contract/merge.ts';
import type { InputOf, Methods, OutputOf, ParsedOf } from '../kernel/contract/route.ts';
import type { AnyTool } from '../kernel/tools/tool.ts';
import * as contracts from './contracts.ts';

export {
  type AccountRouteName,
  type AccountRoutes,
  accountRoutes,
  LOCAL_OWNER_EMAIL,
  OAUTH_PROVIDERS,
  type OAuthProvider,
  PASSWORD_LENGTH,
  type User,
} from '../features/accounts/contract.ts';
export { foldCase as foldFileName, pathProblem as filePathProblem } from '../features/files/path.ts';
export type { NewMemory } from '../features/memory/contract.ts';
export type { Recalled } from '../features/recall/contract.ts';
export type { GuardianEntry, Memory, Stored } from '../features/records/contract.ts';
export * from '../kernel/contract/errors.ts';
export * as fields from '../kernel/contract/fields.ts';
export { parseInput } from '../kernel/contract/parse.ts';
export {
  type Access,
  type CallOptions,
  createMethods,
  type Metering,
  type Route,
  route,
} from '../kernel/contract/route.ts';
export { type BackupRoutes, backupRoutes, systemRoutes } from './server-routes.ts';

type RouteTable = Exclude<(typeof contracts)[keyof typeof contracts], readonly AnyTool[]>;

/** Every operation of the service by name: the single source for server, client, OpenAPI and tools. */
export const routes: Merged<RouteTable> = mergeAll(
  Object.values(contracts).filter((contract): contract is RouteTable => !Array.isArray(contract)),
);
/** The type of `routes`. */
export type Routes = typeof routes;
/** The name of an operation, which is that of its method of `AgentMemory`. */
export type OperationName = keyof Routes;

/** What a caller passes to an operation, path parameters included. */
export type Input<Name extends OperationName> = InputOf<Routes[Name]>;
/** The same after its schema: defaults filled in, times as `Date`. */
export type Parsed<Name extends OperationName> = ParsedOf<Routes[Name]>;
/** What an operation answers. */
export type Output<Name extends OperationName> = OutputOf<Routes[Name]>;

/**
 * The one interface to an agent's memory, in-process (`engine.agent`) or over REST (`connect`): one method for each
 * operation, taking the route's request fields and answering its response. Every method throws `SvcError`.
 */
// An interface, so that the compiler names it in what it says, instead of writing out all routes.
export interface AgentMemory extends Methods<Routes> {}
