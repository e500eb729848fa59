import { createBullBoard } from '@bull-board/api';
import { BullAdapter } from '@bull-board/api/bullAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Queue } from 'bull';
import { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { requireOperator } from './access.ts';

const OPERATOR_QUEUES = '/operator/queues';

/** What the operator's pages are made of. */
export interface BoardOptions {
  readonly queue: Queue;
  readonly token: string;
  readonly publicUrl?: string | undefined;
}

/** The queue of the background work in a browser (bull-board), for the operator alone. */
export function createBoard({ queue, token, publicUrl }: BoardOptions) {
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(OPERATOR_QUEUES);
  createBullBoard({
    queues: [new BullAdapter(queue, { description: 'What there is to do stands in the database.' })],
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Agent Memory Service' } },
  });
  const router = Router();
  router.use(requireOperator(token, publicUrl), pagePolicy, serverAdapter.getRouter());
  return { path: OPERATOR_QUEUES, handler: router satisfies RequestHandler };
}

/** The pages need their own scripts and styles, and nothing from elsewhere. */
const pagePolicy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: ["'self'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});
