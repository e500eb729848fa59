import { z } from 'zod';
import { acceptFields } from '../../kernel/contract/accept-fields.ts';
import { parseInput } from '../../kernel/contract/parse.ts';
import type { ParsedOf } from '../../kernel/contract/route.ts';
import { type Recalled, recalled, recallRoutes } from './contract.ts';

type RecallRequest = ParsedOf<typeof recallRoutes.recall>;

const results = z.array(recalled);

/** Takes what a plugin made of a recall before it runs. */
export function acceptRequest(answered: unknown, given: RecallRequest): RecallRequest {
  return acceptFields(recallRoutes.recall.request.shape, answered, given);
}

/** Takes what a plugin made of the results of a recall: they may be ordered anew and cut, and none is added. */
export function acceptResults(answered: unknown, given: readonly Recalled[]): readonly Recalled[] {
  const accepted = parseInput(results, answered);
  const left = new Set(given.map(({ id }) => id));
  for (const { id } of accepted) {
    if (!left.delete(id)) throw new TypeError(`${id} is none of the results, or there twice`);
  }
  return accepted;
}
