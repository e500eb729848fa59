import type { Engine } from '@svc-memory/core';
import type { z } from 'zod';

/**
 * What a command has done at the engine: in its own process, or by the service that has the data folder. It travels as JSON,
 * so its schemas read JSON.
 */
export interface EngineAction<Input, Output> {
  readonly name: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  run(engine: Engine, input: Input): Promise<Output>;
}
