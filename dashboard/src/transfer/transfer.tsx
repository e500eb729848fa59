import { Page } from '../design/page.tsx';
import { ExportPanel } from './export-panel.tsx';
import { ImportPanel } from './import-panel.tsx';
import { Imports } from './imports.tsx';

/** The ways in and out of a memory. */
export default function Transfer() {
  return (
    <Page
      title="Import & export"
      lead="Bring memories from elsewhere, and take all of them with you whenever you like."
    >
      <ImportPanel />
      <Imports />
      <ExportPanel />
    </Page>
  );
}
