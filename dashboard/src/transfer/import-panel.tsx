import { Alert, Tabs } from '@mantine/core';
import { IconBrandGit, IconBucket, IconFiles, IconTransfer } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAgent } from '../api/agent.tsx';
import { call, upload } from '../api/call.ts';
import { explain } from '../api/error.ts';
import { Panel } from '../design/panel.tsx';
import { FilesForm } from './files-form.tsx';
import { GitForm } from './git-form.tsx';
import { JobProgress } from './job-progress.tsx';
import { PreviewOf } from './preview.tsx';
import { S3Form } from './s3-form.tsx';
import type { Source } from './source.ts';

const ICON = { size: 17, stroke: 1.6 };

/** From where memories come: looked at first, then taken in. */
export function ImportPanel() {
  const { agent } = useAgent();
  const client = useQueryClient();
  const [source, setSource] = useState<Source>();
  const send = (from: Source, dryRun: boolean) => {
    const fields = { dry_run: dryRun, ...(from.format !== undefined && { format: from.format }) };
    const options = { agent: agent.id };
    if (from.kind === 'files') return upload('POST /import', from.files, fields, options);
    const { kind: _, format: __, ...where } = from;
    return call('POST /import', { ...where, ...fields }, options);
  };
  const look = useMutation({ mutationFn: (from: Source) => send(from, true) });
  const start = useMutation({
    mutationFn: (from: Source) => send(from, false),
    onSuccess: () => client.invalidateQueries({ queryKey: [agent.id, 'jobs'] }),
  });
  const ask = (from: Source) => {
    setSource(from);
    start.reset();
    look.mutate(from);
  };
  const again = () => {
    setSource(undefined);
    look.reset();
    start.reset();
  };
  const job = start.data?.job;
  if (job) return <JobProgress started={job} again={again} />;
  if (source && look.data) {
    return (
      <PreviewOf
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
      title="Import"
      hint="You see what would come in before anything is written. The same memories never come in twice."
    >
      {look.error && (
        <Alert color="red" variant="light" role="alert" mb="md" title="This cannot be imported">
          {explain(look.error)}
        </Alert>
      )}
      <Tabs defaultValue="files" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="files" leftSection={<IconFiles {...ICON} />}>
            Files
          </Tabs.Tab>
          <Tabs.Tab value="service" leftSection={<IconTransfer {...ICON} />}>
            Another service
          </Tabs.Tab>
          <Tabs.Tab value="git" leftSection={<IconBrandGit {...ICON} />}>
            Git
          </Tabs.Tab>
          <Tabs.Tab value="s3" leftSection={<IconBucket {...ICON} />}>
            S3
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="files">
          <FilesForm busy={look.isPending} ask={ask} />
        </Tabs.Panel>
        <Tabs.Panel value="service">
          <FilesForm services busy={look.isPending} ask={ask} />
        </Tabs.Panel>
        <Tabs.Panel value="git">
          <GitForm busy={look.isPending} ask={ask} />
        </Tabs.Panel>
        <Tabs.Panel value="s3">
          <S3Form busy={look.isPending} ask={ask} />
        </Tabs.Panel>
      </Tabs>
    </Panel>
  );
}
