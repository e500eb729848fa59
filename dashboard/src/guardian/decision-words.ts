import type { ReviewEntry } from './entry.ts';

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
    title: 'Approve this change',
    effect: 'It happens now. Your agent is this from its next boot on.',
    action: 'Approve',
    done: 'Approved. The memory has changed.',
  },
  reject: {
    title: 'Reject this change',
    effect: 'The memory stays as it is. Your agent can read why.',
    action: 'Reject',
    done: 'Rejected. The memory stays as it is.',
  },
};

const ADDITION: Readonly<Record<GuardianDecision, Words>> = {
  approve: {
    title: 'Add this memory',
    effect: 'It is stored now. Your agent is this from its next boot on.',
    action: 'Approve',
    done: 'Approved. The memory is there.',
  },
  reject: {
    title: 'Reject this memory',
    effect: 'It is not stored, and the same text does not ask again.',
    action: 'Reject',
    done: 'Rejected. Nothing was stored.',
  },
};

const STORED: Readonly<Record<GuardianDecision, Words>> = {
  approve: {
    title: 'Confirm this memory',
    effect: 'It is stored already. Now it also counts as confirmed by you.',
    action: 'Confirm',
    done: 'Confirmed. The memory stays.',
  },
  reject: {
    title: 'Remove this memory',
    effect: 'It is archived now, and gone from your agent’s next boot. For 30 days you can restore it.',
    action: 'Remove',
    done: 'Removed. The memory is archived.',
  },
};

/** Returns the texts of a decision. They depend on what is decided: a change, an addition, or a stored memory. */
export function decisionWords({ status, current }: ReviewEntry, decision: GuardianDecision): Words {
  if (status === 'added') return STORED[decision];
  return current === null ? ADDITION[decision] : CHANGE[decision];
}
