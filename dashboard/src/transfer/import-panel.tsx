import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Tabs } from '@mantine/core';
import { IconBrandGit, IconBucket, IconFiles, IconTransfer } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAgent } from '../api/agent.tsx';
import { callApi, uploadFiles } from '../api/call.ts';
import { useDraft } from '../api/draft.ts';
import { explain } from '../api/error.ts';
import { useAttempt, useWithoutRepeats } from '../api/hooks.ts';
import { Panel } from '../design/panel.tsx';
import { FilesForm } from './files-form.tsx';
import { JobProgress } from './job-progress.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { GIT_DRAFT, GitForm, S3Form } from './remote-forms.tsx';
import type { ImportSource, SourceFormProps } from './source.ts';

const ICON = { size: 17, stroke: 1.6 };

/** Imports memories in two steps: a preview, then the import. */
export function ImportPanel() {
  const { source, look, start, ask, again } = useImport();
  const job = start.data?.job;
  if (job) return <JobProgress started={job} again={again} />;
  if (source && look.data) {
    return (
      <PreviewPanel
        preview={look.data.preview}
        starting={start.isPending}
        error={start.error}
        start={() => start.mutate(source)}
        again={again}
      />
    );
  }
  return (
    <Panel
      title={t`Import`}
      hint={t`You see what would come in before anything is written. The same memories never come in twice.`}
    >
      {look.error && (
        <Alert color="red" variant="light" role="alert" mb="md" title={t`This cannot be imported`}>
          {explain(look.error)}
        </Alert>
      )}
      <SourceTabs busy={look.isPending} ask={ask} />
    </Panel>
  );
}

/** The state of an import. `ask` previews a source, `start` imports it, `again` begins anew. */
function useImport() {
  const { agent } = useAgent();
  const client = useQueryClient();
  const { forget } = useDraft(GIT_DRAFT);
  const [source, setSource] = useState<ImportSource>();
  const attempt = useAttempt();
  const send = (from: ImportSource, dryRun: boolean) => {
    const fields = { dry_run: dryRun, ...(from.format !== undefined && { format: from.format }) };
    const options = { agent: agent.id, ...(!dryRun && { headers: attempt.keyFor(from) }) };
    if (from.kind === 'files') return uploadFiles('POST /import', from.files, fields, options);
    const { kind: _, format: __, ...where } = from;
    return callApi('POST /import', { ...where, ...fields }, options);
  };
  const look = useMutation({ mutationFn: (from: ImportSource) => send(from, true) });
  const start = useWithoutRepeats(
    useMutation({
      mutationFn: (from: ImportSource) => send(from, false),
      onSuccess: () => {
        attempt.end();
        forget();
        return client.invalidateQueries({ queryKey: [agent.id, 'jobs'] });
      },
    }),
  );
  const ask = (from: ImportSource) => {
    setSource(from);
    attempt.end();
    start.reset();
    look.mutate(from);
  };
  const again = () => {
    setSource(undefined);
    look.reset();
    start.reset();
  };
  return { source, look, start, ask, again };
}

function SourceTabs(props: SourceFormProps) {
  return (
    <Tabs defaultValue="files" keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="files" leftSection={<IconFiles {...ICON} />}>
          <Trans>Files</Trans>
        </Tabs.Tab>
        <Tabs.Tab value="service" leftSection={<IconTransfer {...ICON} />}>
          <Trans>Another service</Trans>
        </Tabs.Tab>
        <Tabs.Tab value="git" leftSection={<IconBrandGit {...ICON} />}>
          <Trans>Git</Trans>
        </Tabs.Tab>
        <Tabs.Tab value="s3" leftSection={<IconBucket {...ICON} />}>
          <Trans>S3</Trans>
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="files">
        <FilesForm {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="service">
        <FilesForm services {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="git">
        <GitForm {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="s3">
        <S3Form {...props} />
      </Tabs.Panel>
    </Tabs>
  );
}
