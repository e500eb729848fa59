import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { levelOf } from '../visibility/conceal.ts';
import type { VisibilityLevel } from '../visibility/contract.ts';
import { loadVisibility } from '../visibility/settings.ts';

/** Tells how much of a memory this caller sees: an agent all of it, its human what the agent shows. */
export async function levels(
  tx: Tx,
  { tenantId, actor }: Context,
): Promise<(memory: Parameters<typeof levelOf>[1]) => VisibilityLevel> {
  if (actor.source !== 'human') return () => 'full';
  const settings = await loadVisibility(tx, tenantId);
  return (memory) => levelOf(settings, memory);
}
