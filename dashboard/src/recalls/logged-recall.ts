import type { AnswerOf } from '../api/call.ts';

/** One recall of the log. */
export type LoggedRecall = AnswerOf<'GET /recalls'>['recalls'][number];
