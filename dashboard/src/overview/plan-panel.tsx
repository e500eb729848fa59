import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Progress, Text } from '@mantine/core';
import { serviceNow } from '../api/clock.ts';
import { formatNumber } from '../design/format.ts';
import { Panel } from '../design/panel.tsx';
import { When } from '../design/when.tsx';
import type { OverviewData } from './overview-data.ts';

const PLANS = { trial: t`Trial`, standard: t`Standard`, local: t`Your own machine` } as const;
/** The service sends this number where a plan has no limit. */
const UNLIMITED = 2_147_483_647;

/** Shows the plan of the account, and how much of it is used. */
export function PlanPanel({ tenant, usage }: Pick<OverviewData, 'tenant' | 'usage'>) {
  const { operations_this_month: used, operations_limit: limit } = usage;
  const share = limit === UNLIMITED ? 0 : (100 * used) / limit;
  const hasEnded =
    tenant.trial_expires_at !== undefined && new Date(tenant.trial_expires_at).getTime() <= serviceNow();
  return (
    <Panel title={t`Plan`}>
      <Group justify="space-between" gap="xs">
        <Text>
          {PLANS[tenant.plan]}
          {tenant.trial_expires_at && (
            <Text span c="dimmed" size="sm">
              {hasEnded ? (
                <Trans>
                  {' '}
                  · ended <When at={tenant.trial_expires_at} />
                </Trans>
              ) : (
                <Trans>
                  {' '}
                  · ends <When at={tenant.trial_expires_at} />
                </Trans>
              )}
            </Text>
          )}
        </Text>
        <Text size="sm" c="dimmed">
          {formatNumber(used)}
          {limit === UNLIMITED
            ? t` operations this month, no limit`
            : t` of ${formatNumber(limit)} operations`}
        </Text>
      </Group>
      {limit !== UNLIMITED && (
        <Progress
          value={share}
          mt="sm"
          size="sm"
          color={share >= 100 ? 'red' : share >= 80 ? 'yellow' : 'iris'}
          aria-label={t`Operations used this month`}
        />
      )}
      {(hasEnded || share >= 100) && (
        <Text size="sm" mt="sm">
          <Trans>
            The agent writes and recalls nothing until whoever runs this service moves the account to another
            plan. What is stored stays, and the agent still starts with it. You can look at it, export it and
            delete it as before.
          </Trans>
        </Text>
      )}
    </Panel>
  );
}
