import { z } from 'zod';
import type { Context } from '../kernel/context/context.ts';

const PATIENCE_MS = 90_000;

/**
 * Asks the language model a question whose answer is JSON.
 *
 * @returns undefined where there is no model, it fails, takes too long, or answers something else.
 */
export async function askModel<Schema extends z.ZodType>(
  { languageModel: llm, logger }: Context,
  instructions: string,
  data: unknown,
  schema: Schema,
  signal: AbortSignal,
): Promise<z.output<Schema> | undefined> {
  if (!llm) return undefined;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(llm.patienceMs ?? PATIENCE_MS)]);
  try {
    const hung = new Promise<never>((_, reject) => {
      limit.addEventListener('abort', () => reject(limit.reason), { once: true });
    });
    const answer = await Promise.race([
      llm.complete({ instructions, data: JSON.stringify(data) }, limit),
      hung,
    ]);
    return schema.parse(JSON.parse(/\{[\s\S]*\}/.exec(answer)?.[0] ?? ''));
  } catch (error) {
    signal.throwIfAborted();
    // The answer itself may quote memories, and an error of the parser quotes the answer.
    const reason = error instanceof z.ZodError || error instanceof SyntaxError ? 'no such answer' : error;
    logger.warn({ model: llm.model, err: reason }, 'the language model is of no help; rules do its work');
    return undefined;
  }
}
