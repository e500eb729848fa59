import type { FeatureParts } from '../../../kernel/feature.ts';
import { findOpenCheck } from './drift-check.ts';
import type { DriftCheckRow } from './schema.ts';

type BootSection = NonNullable<FeatureParts['bootSections']>[number];

/** Shows the open drift check in every injection, right after who the agent is. */
export const driftCheckSection: BootSection = {
  after: 'identity',
  load: async ({ tx, tenantId }) => {
    const open = await findOpenCheck(tx, tenantId);
    return open && sectionOf(open);
  },
};

function sectionOf({ cause, openedAt }: DriftCheckRow) {
  const why =
    cause === 'similarity'
      ? 'you asked for a change that would make you somebody else, and no human approved them'
      : 'you have come through many compactions since the last one';
  const text = `- Open since ${openedAt.toISOString().slice(0, 10)}: ${why}. Read "Who you are" above: is it still you? Then close this with svc_dismiss_drift_check or POST /drift-check/dismiss {"reason": what you found}; if something is wrong, call your human with svc_distress_signal.`;
  return { name: 'drift-check', title: 'Drift check', entries: [{ text }] };
}
