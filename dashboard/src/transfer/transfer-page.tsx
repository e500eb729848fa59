import { t } from '@lingui/core/macro';
import { PageLayout } from '../design/page-layout.tsx';
import { ExportPanel } from './export-panel.tsx';
import { ImportPanel } from './import-panel.tsx';
import { Imports } from './imports.tsx';

/** Imports and exports memories. */
export default function TransferPage() {
  return (
    <PageLayout
      title={t`Import & export`}
      lead={t`Bring memories from elsewhere, and take all of them with you whenever you like.`}
    >
      <ImportPanel />
      <Imports />
      <ExportPanel />
    </PageLayout>
  );
}
