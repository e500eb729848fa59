import { z } from 'zod';
import type { CallOptions } from '../contract/route.ts';

/** What a host may expect of a tool, as MCP names it. */
export const toolAnnotations = z.object({
  /** Changes nothing. */
  readOnlyHint: z.boolean(),
  /** May take something away that was there. */
  destructiveHint: z.boolean(),
  /** The same call again changes nothing more. */
  idempotentHint: z.boolean(),
  /** Reaches beyond the agent's own memory. */
  openWorldHint: z.boolean(),
});

/** One `svc_*` tool: everything that MCP, `GET /tools` and other hosts need to offer it. */
export interface Tool<
  Input extends z.ZodObject = z.ZodObject,
  Answer extends z.ZodObject = z.ZodObject,
  Memory extends object = object,
> {
  readonly name: `svc_${string}`;
  readonly title: string;
  /** Tells a model what the tool does and when to call it. */
  readonly description: string;
  readonly annotations: z.output<typeof toolAnnotations>;
  readonly input: Input;
  readonly output: Answer;
  /** Runs with checked arguments. Throws `SvcError`, whose validation paths are the tool's own arguments. */
  run(memory: Memory, input: z.input<Input>, options: CallOptions): Promise<z.input<Answer>>;
  /** The answer as text, where JSON is not the best form; must not hold stored text that is not rendered as data. */
  readonly text?: (answer: z.input<Answer>) => string;
}

/** A tool whatever its arguments. */
export type AnyTool = Omit<Tool, 'run' | 'text'> & {
  run(memory: object, input: never, options: CallOptions): Promise<object>;
  readonly text?: (answer: never) => string;
};

/** Declares a tool and checks its function against its schemas. */
export function defineTool<Input extends z.ZodObject, Answer extends z.ZodObject, Memory extends object>(
  tool: Tool<Input, Answer, Memory>,
): Tool<Input, Answer, Memory> {
  return tool;
}

type Hints = z.output<typeof toolAnnotations>;

/** Annotations of tools that only look. */
export const READS: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** Annotations of tools that add. */
export const ADDS: Hints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
/** Annotations of tools that set something to a value, or replace it by a new version that can be undone. */
export const SETS: Hints = { ...ADDS, idempotentHint: true };
/** Annotations of tools that take something away. */
export const REMOVES: Hints = { ...SETS, destructiveHint: true };

/**
 * Bytes that an answer of a tool may take where the caller sets no limit, some 10,000 tokens. Hosts refuse what is much longer or
 * put it into a file: Claude Code warns from 10,000 tokens on, and takes 25,000 at most.
 */
export const MOST_BYTES = 40_000;

/** Bytes of a value as JSON in UTF-8. */
export function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** Which arguments an action needs, and which it may have. */
interface ActionArguments {
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
