import type { Operation } from '../engine/context.ts';
import { findMemory } from './find.ts';
import { toMemory } from './row.ts';

/** Reads one active memory. Spec: GET /memories/{id}. */
export const get: Operation<'get'> = (context, { id }) =>
  context.read(async (tx) => ({ memory: toMemory(await findMemory(tx, context, id)) }));
