import type { z } from 'zod';

/** Which arguments an action needs, and which it may have. */
export interface ActionArguments {
  readonly needs: readonly string[];
  readonly takes: readonly string[];
}

/**
 * Checks the arguments of a tool whose `action` decides which of them apply: one that is missing, or that the action
 * would silently ignore, is named together with the fix.
 *
 * @param field The argument that names the action.
 */
export function checkAction(actions: Readonly<Record<string, ActionArguments>>, field = 'action') {
  return (input: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    const { [field]: action, ...given } = input;
    const rule = actions[String(action)];
    if (!rule) return;
    const complain = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    for (const name of rule.needs) {
      if (given[name] === undefined) complain(name, `is required when ${field} is ${action}`);
    }
    const known = [...rule.needs, ...rule.takes];
    for (const [name, value] of Object.entries(given)) {
      if (value === undefined || known.includes(name)) continue;
      const takes = known.length === 0 ? 'no other argument' : known.join(', ');
      complain(name, `is not used when ${field} is ${action}, which takes ${takes}; leave it out`);
    }
  };
}
