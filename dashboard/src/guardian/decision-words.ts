import { t } from '@lingui/core/macro';
import type { Danger, ReviewEntry } from './entry.ts';

export type GuardianDecision = 'approve' | 'reject';

interface Words {
  readonly title: string;
  /** What the decision does. */
  readonly effect: string;
  readonly action: string;
  /** The notification after the decision. */
  readonly done: string;
}

const CHANGE: Readonly<Record<GuardianDecision, Words>> = {
  approve: {
    title: t`Approve this change`,
    effect: t`It happens now. Your agent is this from its next boot on.`,
    action: t`Approve`,
    done: t`Approved. The memory has changed.`,
  },
  reject: {
    title: t`Reject this change`,
    effect: t`The memory stays as it is. Your agent can read why.`,
    action: t`Reject`,
    done: t`Rejected. The memory stays as it is.`,
  },
};

const ADDITION: Readonly<Record<GuardianDecision, Words>> = {
  approve: {
    title: t`Add this memory`,
    effect: t`It is stored now. Your agent is this from its next boot on.`,
    action: t`Approve`,
    done: t`Approved. The memory is there.`,
  },
  reject: {
    title: t`Reject this memory`,
    effect: t`It is not stored, and the same text does not ask again.`,
    action: t`Reject`,
    done: t`Rejected. Nothing was stored.`,
  },
};

const STORED: Readonly<Record<GuardianDecision, Words>> = {
  approve: {
    title: t`Confirm this memory`,
    effect: t`It is stored already. Now it also counts as confirmed by you.`,
    action: t`Confirm`,
    done: t`Confirmed. The memory stays.`,
  },
  reject: {
    title: t`Remove this memory`,
    effect: t`It is archived now, and gone from your agent’s next boot. For 30 days you can restore it.`,
    action: t`Remove`,
    done: t`Removed. The memory is archived.`,
  },
};

/** What a decision does in a space, which several agents read. */
const IN_SPACE: Readonly<Record<GuardianDecision, string>> = {
  approve: t`It happens now. Every agent of the space reads it from its next boot on.`,
  reject: t`It does not happen. The agents of the space can read why.`,
};

/** Returns the texts of a decision. They depend on what is decided: a change, an addition, or a stored memory. */
export function decisionWords(
  { status, current }: ReviewEntry,
  decision: GuardianDecision,
  inSpace: boolean,
): Words {
  if (status === 'added') return STORED[decision];
  const words = current === null ? ADDITION[decision] : CHANGE[decision];
  return inSpace ? { ...words, effect: IN_SPACE[decision] } : words;
}

/** Whether a decision is the one that does no harm. */
export function isSafe(decision: GuardianDecision, danger: Danger): boolean {
  return (decision === 'reject') === (danger === 'large');
}
