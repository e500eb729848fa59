import type { Operation } from '../../kernel/context/context.ts';
import type { setupRoutes } from './contract.ts';
import { FRAMEWORKS } from './contract.ts';
import { setupSteps } from './steps.ts';

/** Where an embedded service listens by default. */
const DEFAULT_URL = 'http://127.0.0.1:3000';

/** The set-up steps of a framework, for the service that is asked. */
export const setupScript: Operation<typeof setupRoutes.setupScript> = async ({ options }, { framework }) => ({
  framework,
  script: setupSteps(framework, options.serviceUrl ?? DEFAULT_URL),
  frameworks: [...FRAMEWORKS],
});
