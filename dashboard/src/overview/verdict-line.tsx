import { IconAlertTriangle, IconBellRinging, IconCircleCheck } from '@tabler/icons-react';
import { useAnswer } from '../api/hooks.ts';
import type { OverviewData } from './overview-data.ts';
import { verdictOf } from './verdict.ts';
import classes from './verdict-line.module.css';

const ICONS = { well: IconCircleCheck, waits: IconBellRinging, alarm: IconAlertTriangle } as const;
/** The service's default. */
const DRIFT_LIMIT = 0.5;

/** Returns the drift from which on a change is large. */
export function useDriftLimit(): number {
  const settings = useAnswer('guardian', 'GET /guardian/settings', {});
  return settings.data?.settings.drift_limit ?? DRIFT_LIMIT;
}

/** Reads whether compactions went without a recovery. */
const useMissingRecoveries = () => useAnswer('stability', 'GET /compactions', { limit: 1 });

/** Whether what the verdict says besides the overview is still being read. Its sentence would change its length. */
export function useVerdictPending(): boolean {
  const settings = useAnswer('guardian', 'GET /guardian/settings', {});
  const compactions = useMissingRecoveries();
  return settings.isPending || compactions.isPending;
}

interface Props {
  readonly overview: OverviewData;
  readonly overdue: number;
  readonly driftLimit: number;
}

/** Says first of all how the agent is: whether anything waits for the human, and what. */
export function VerdictLine({ overview, overdue, driftLimit }: Props) {
  const compactions = useMissingRecoveries();
  const { tone, sentence } = verdictOf({
    overview,
    overdue,
    missingRecoveries: compactions.data?.missing_recoveries ?? 0,
    driftLimit,
  });
  const Icon = ICONS[tone];
  return (
    <p className={classes.verdict} data-tone={tone} role="status">
      <Icon size={20} stroke={1.8} aria-hidden="true" className={classes.icon} />
      <span>{sentence}</span>
    </p>
  );
}
