import compression from 'compression';
import type { Response } from 'express';

/** Bytes from which compressing saves more time than it takes. */
const WORTH_COMPRESSING = 8 * 1024;

/** Compresses long answers as the client accepts it, brotli first. Live streams stay as they are: each event leaves at once. */
export const compressAnswers = compression({
  threshold: WORTH_COMPRESSING,
  filter: (request, response) =>
    !isEventStream(response as Response) && compression.filter(request, response),
});

function isEventStream(response: Response): boolean {
  return String(response.getHeader('Content-Type')).startsWith('text/event-stream');
}
