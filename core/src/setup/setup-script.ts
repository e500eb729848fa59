import type { Operation } from '../engine/context.ts';
import { FRAMEWORKS } from './contract.ts';
import { SETUP_STEPS } from './steps.ts';

/** The set-up steps of a framework. Design 5, GET /setup-script. */
export const setupScript: Operation<'setupScript'> = async (_context, { framework }) => ({
  framework,
  script: SETUP_STEPS[framework],
  frameworks: [...FRAMEWORKS],
});
