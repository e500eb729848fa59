import type { Response } from 'express';

/**
 * Sends an answer as JSON with `success: true`. It does without Express's `json`, which looks for other types, tags and
 * charsets in each answer.
 */
export function sendSuccess(response: Response, answer: object): void {
  response.statusCode = successStatus(answer);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ success: true, ...answer }));
}

/** 201 where an outcome is `created`, 202 where one is `queued`, else 200. A batch has an outcome for each result. */
export function successStatus(answer: object): 200 | 201 | 202 {
  const outcomes = 'results' in answer && Array.isArray(answer.results) ? answer.results.map(outcomeOf) : [];
  outcomes.push(outcomeOf(answer));
  if (outcomes.includes('created')) return 201;
  return outcomes.includes('queued') ? 202 : 200;
}

function outcomeOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'outcome' in value ? value.outcome : undefined;
}
