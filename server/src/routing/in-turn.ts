import type { RequestHandler } from 'express';

/**
 * One handler that calls others in turn: each begins when the one before it calls `next`, and an error of any goes to
 * the error handlers.
 *
 * Express does the same for the handlers of a route, but compiles a pattern for each of them and tries it at each call.
 * With the several hundred of the API that took 25 ms of every start.
 */
export function inTurn(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    const callFrom = async (index: number): Promise<void> => {
      const handler = handlers[index];
      if (!handler) {
        next();
        return;
      }
      try {
        await handler(request, response, (error?: unknown) => {
          if (error) next(error);
          else void callFrom(index + 1);
        });
      } catch (error) {
        next(error);
      }
    };
    void callFrom(0);
  };
}
