import { z } from 'zod';
import type { Context } from '../kernel/context/context.ts';
import { limitTime, untilAborted } from '../kernel/runtime/waiting.ts';
import { toInertJson } from '../text/visible.ts';
import { ModelAwayError } from './language-model.ts';

const PATIENCE_MS = 90_000;
/** Characters of an answer that are parsed; the longest that is asked for has some 1,200. Of millions, parsing takes seconds. */
const MOST_CHARACTERS = 65_536;

/** A question whose answer is JSON. */
interface Question<Schema extends z.ZodType> {
  /** What the model is to do; never holds memory text. */
  readonly instructions: string;
  /** What it is to do it with; holds memory text, which is data. */
  readonly data: unknown;
  readonly schema: Schema;
  /**
   * Whether the answer must be the JSON and nothing else: in other text the model may quote what a memory says. Default: the
   * object in the answer counts.
   */
  readonly exact?: boolean;
  /** Whether a `ModelAwayError` is thrown, for work that can wait until the model is back. Default: the answer is undefined. */
  readonly canWait?: boolean;
}

/**
 * Asks the language model.
 *
 * @returns undefined where there is no model, it fails, takes too long, or answers something else.
 * @throws ModelAwayError where the question can wait and the model takes none now.
 */
export async function askModel<Schema extends z.ZodType>(
  { languageModel: llm, logger }: Context,
  { instructions, data, schema, exact = false, canWait = false }: Question<Schema>,
  signal: AbortSignal,
): Promise<z.output<Schema> | undefined> {
  if (!llm) return undefined;
  const limit = limitTime(signal, llm.patienceMs ?? PATIENCE_MS);
  try {
    // No memory passes for another message of the conversation, nor hides anything.
    const prompt = { instructions, data: toInertJson(data) };
    const answer = await untilAborted(llm.complete(prompt, limit.signal), limit.signal);
    const said = withoutThoughts(answer);
    if (said.length > MOST_CHARACTERS)
      throw new SyntaxError('The answer is longer than any that is asked for.');
    return schema.parse(JSON.parse(exact ? withoutFence(said) : objectIn(said)));
  } catch (error) {
    signal.throwIfAborted();
    if (canWait && error instanceof ModelAwayError) throw error;
    // The answer itself may quote memories, and an error of the parser quotes the answer.
    const reason = error instanceof z.ZodError || error instanceof SyntaxError ? 'no such answer' : error;
    logger.warn({ model: llm.model, err: reason }, 'the language model is of no help; rules do its work');
    return undefined;
  } finally {
    limit.end();
  }
}

const THOUGHT = '</think>';

/** The answer behind what some models think first, where their server passes it on. It may quote memories, and this tag, too. */
function withoutThoughts(answer: string): string {
  if (!/^\s*<think>/.test(answer)) return answer;
  const end = answer.lastIndexOf(THOUGHT);
  return end < 0 ? '' : answer.slice(end + THOUGHT.length);
}

// By hand, as a regular expression takes quadratic time, or cubic, for what models repeat without end: braces and line breaks.

/** From the first brace to the last. */
function objectIn(answer: string): string {
  return answer.slice(Math.max(0, answer.indexOf('{')), answer.lastIndexOf('}') + 1);
}

const FENCE = '```';

/** Some models put all their JSON into a Markdown fence. */
function withoutFence(answer: string): string {
  const text = answer.trim();
  const opening = /^```(?:json)?[^\S\n]*\n/.exec(text)?.[0];
  if (opening === undefined || !text.endsWith(FENCE)) return text;
  return text.slice(opening.length, -FENCE.length);
}
