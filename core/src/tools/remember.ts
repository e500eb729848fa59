import { routes } from '../contract/index.ts';
import { defineTool, SETS } from './tool.ts';

export const remember = defineTool({
  name: 'svc_remember',
  title: 'Store a memory',
  description:
    'Stores one memory. Call it as soon as you learn something that should outlive this conversation: a decision and its reason, a preference, a fact, an event, a mistake not to repeat. One self-contained statement each, with names and dates in place of "he" or "yesterday". Types: semantic (facts), episodic (what happened), working (current state), core (who you are; needs category). A key makes it an upsert: the same key again replaces the content. A change to soul or identity is queued with the Guardian, and the answer says so. Never store secrets such as passwords or API keys.',
  annotations: SETS,
  input: routes.remember.request,
  output: routes.remember.response,
  run: (memory, input, options) => memory.remember(input, options),
});
