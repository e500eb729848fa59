import { t } from '@lingui/core/macro';
import { Tabs } from '@mantine/core';
import {
  IconDatabase,
  IconKey,
  IconPlugConnected,
  IconRobot,
  IconShieldHalf,
  IconUserCircle,
  IconWebhook,
} from '@tabler/icons-react';
import { useSearchParams } from 'wouter';
import { ConnectedApps } from '../connections/connected-apps.tsx';
import { PageLayout } from '../design/page-layout.tsx';
import { Account } from './account.tsx';
import { Agents } from './agents.tsx';
import { ApiKeysPanel } from './api-keys-panel.tsx';
import { Backups } from './backups.tsx';
import { Endpoints } from './endpoints.tsx';
import { Protection } from './protection.tsx';

const TABS = [
  { value: 'agent', label: t`Agents`, icon: IconRobot, part: Agents },
  { value: 'keys', label: t`API keys`, icon: IconKey, part: ApiKeysPanel },
  { value: 'apps', label: t`Apps`, icon: IconPlugConnected, part: ConnectedApps },
  { value: 'events', label: t`Webhooks`, icon: IconWebhook, part: Endpoints },
  { value: 'guardian', label: t`Guardian`, icon: IconShieldHalf, part: Protection },
  { value: 'backups', label: t`Backups`, icon: IconDatabase, part: Backups },
  { value: 'account', label: t`Account`, icon: IconUserCircle, part: Account },
] as const;

/** Shows all settings in tabs. The query string names the open tab. */
export default function SettingsPage() {
  const [search, setSearch] = useSearchParams();
  const tab = TABS.find(({ value }) => value === search.get('tab'))?.value ?? 'agent';
  return (
    <PageLayout title={t`Settings`}>
      <Tabs value={tab} onChange={(value) => setSearch({ tab: value ?? 'agent' })} keepMounted={false}>
        <Tabs.List mb="lg">
          {TABS.map(({ value, label, icon: Icon }) => (
            <Tabs.Tab key={value} value={value} leftSection={<Icon size={17} stroke={1.6} />}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ value, part: Part }) => (
          <Tabs.Panel key={value} value={value}>
            <Part />
          </Tabs.Panel>
        ))}
      </Tabs>
    </PageLayout>
  );
}
