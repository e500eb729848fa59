import type { Section } from '../boot/section.ts';
import type { Plugin } from '../engine/plugins.ts';
import { findOpenCheck } from './drift-check.ts';
import type { DriftCheckRow } from './schema.ts';

/** Shows the open drift check in every injection, right after who the agent is. Design 5, drift check. */
export const driftCheckPlugin: Plugin = {
  name: 'drift-check',
  hooks: {
    'boot:sections': async (sections, { tenantId, tx }) => {
      const open = tx && (await findOpenCheck(tx, tenantId));
      if (!open) return sections;
      const after = sections.findIndex(({ name }) => name === 'identity') + 1;
      return [...sections.slice(0, after), sectionOf(open), ...sections.slice(after)];
    },
  },
};

function sectionOf({ cause, openedAt }: DriftCheckRow): Section {
  const why =
    cause === 'similarity'
      ? 'small changes to who you are have added up, and no human approved them'
      : 'you have come through many compactions since the last one';
  const text = `- Open since ${openedAt.toISOString().slice(0, 10)}: ${why}. Read "Who you are" above: is it still you? Then close this with svc_dismiss_drift_check or POST /drift-check/dismiss {"reason": what you found}; if something is wrong, call your human with svc_distress_signal.`;
  return { name: 'drift-check', title: 'Drift check', entries: [{ text }] };
}
