import type { z } from 'zod';
import { bootRoutes } from '../boot/contract.ts';
import { compactionRoutes } from '../compaction/contract.ts';
import { dashboardRoutes } from '../dashboard/contract.ts';
import { distressRoutes } from '../distress/contract.ts';
import { eventRoutes } from '../events/contract.ts';
import { exportRoutes } from '../export/contract.ts';
import { guardianRoutes } from '../guardian/contract.ts';
import { importRoutes } from '../import/contract.ts';
import { jobRoutes } from '../jobs/contract.ts';
import { landscapeRoutes } from '../landscape/contract.ts';
import { memoryRoutes } from '../memory/contract.ts';
import { momentRoutes } from '../moments/contract.ts';
import { queryRoutes } from '../query/contract.ts';
import { recallRoutes } from '../recall/contract.ts';
import { reflectionRoutes } from '../reflection/contract.ts';
import { scheduleRoutes } from '../schedule/contract.ts';
import { sessionRoutes } from '../session/contract.ts';
import { setupRoutes } from '../setup/contract.ts';
import { stabilityRoutes } from '../stability/contract.ts';
import { syncRoutes } from '../sync/contract.ts';
import { apiKeyRoutes, statusRoutes } from '../tenants/contract.ts';
import { toolRoutes } from '../tools/contract.ts';
import { visibilityRoutes } from '../visibility/contract.ts';
import { wipRoutes } from '../wip/contract.ts';

export {
  type AccountRouteName,
  type AccountRoutes,
  accountRoutes,
  OAUTH_PROVIDERS,
  type OAuthProvider,
  PASSWORD_LENGTH,
  type User,
} from '../accounts/contract.ts';
export * from './errors.ts';
export * as fields from './fields.ts';
export { parseInput } from './parse.ts';
export { type Access, type Metering, type Route, route } from './route.ts';
export { systemRoutes } from './system.ts';

/** Every operation of the service by name: the single source for server, client, OpenAPI and tools. */
export const routes = {
  ...memoryRoutes,
  ...recallRoutes,
  ...queryRoutes,
  ...landscapeRoutes,
  ...bootRoutes,
  ...compactionRoutes,
  ...momentRoutes,
  ...syncRoutes,
  ...guardianRoutes,
  ...stabilityRoutes,
  ...statusRoutes,
  ...apiKeyRoutes,
  ...exportRoutes,
  ...importRoutes,
  ...sessionRoutes,
  ...visibilityRoutes,
  ...distressRoutes,
  ...dashboardRoutes,
  ...eventRoutes,
  ...scheduleRoutes,
  ...wipRoutes,
  ...reflectionRoutes,
  ...jobRoutes,
  ...toolRoutes,
  ...setupRoutes,
};
export type Routes = typeof routes;
export type OperationName = keyof Routes;

/** What a caller passes to an operation, path parameters included. */
export type Input<Name extends OperationName> = z.input<Routes[Name]['request']>;
/** The same after its schema: defaults filled in, times as `Date`. */
export type Parsed<Name extends OperationName> = z.output<Routes[Name]['request']>;
/** What an operation answers. */
export type Output<Name extends OperationName> = z.output<Routes[Name]['response']>;

/** What can accompany any call. */
export interface CallOptions {
  /** Makes a writing call safe to repeat: the same key within 24 h gives the first answer. */
  readonly idempotencyKey?: string;
  /** The `version` a memory must still have for a change to apply; otherwise `CONFLICT`. */
  readonly ifMatch?: number;
  /** The agent's session key, where a call needs it. */
  readonly sessionKey?: string;
  readonly signal?: AbortSignal;
}

type Operation<Name extends OperationName> =
  Record<never, never> extends Input<Name>
    ? (input?: Input<Name>, options?: CallOptions) => Promise<Output<Name>>
    : (input: Input<Name>, options?: CallOptions) => Promise<Output<Name>>;

/**
 * The one interface to an agent's memory, in-process (`engine.agent`) or over REST (`connect`): one method for each
 * operation, taking the route's request fields and answering its response. Every method throws `SvcError`.
 */
export type AgentMemory = { readonly [Name in keyof Routes]: Operation<Name> };
