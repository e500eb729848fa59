import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Select, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.css';
import { IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { SERVICES, type SourceFormProps } from './source.ts';
import classes from './transfer.module.css';

const MOST_BYTES = 256 * 1_024 * 1_024;

interface Props extends SourceFormProps {
  /** Also asks which service the files are from. Default: false. */
  readonly services?: boolean;
}

/** Takes files that the human drops or chooses. */
export function FilesForm({ busy, ask, services = false }: Props) {
  const [service, setService] = useState<(typeof SERVICES)[number]>(SERVICES[0]);
  const [refused, setRefused] = useState(false);
  return (
    <Stack>
      {services && (
        <Select
          label={t`Service`}
          description={service.how}
          data={SERVICES.map(({ value, label }) => ({ value, label }))}
          value={service.value}
          allowDeselect={false}
          onChange={(value) => setService(SERVICES.find((one) => one.value === value) ?? SERVICES[0])}
          maw={420}
        />
      )}
      <Dropzone
        loading={busy}
        maxSize={MOST_BYTES}
        onDrop={(files) => {
          setRefused(false);
          ask({ kind: 'files', files, ...(services && { format: service.value }) });
        }}
        onReject={() => setRefused(true)}
        className={classes.drop ?? ''}
        inputProps={{ 'aria-label': t`Files to import` }}
        aria-label={t`Choose files`}
      >
        <div className={classes.invite}>
          <IconFileImport size={34} stroke={1.3} aria-hidden="true" />
          <Text fw={600}>
            <Trans>Drop files here, or click to choose</Trans>
          </Text>
          <Text size="sm" c="dimmed">
            {services
              ? t`As the service gives them, zip files too`
              : t`Markdown, text, JSON, JSON Lines, or a zip of them, up to 256 MiB`}
          </Text>
        </div>
      </Dropzone>
      {refused && (
        <Text size="sm" c="red" role="alert">
          <Trans>Files of more than 256 MiB cannot be taken.</Trans>
        </Text>
      )}
    </Stack>
  );
}
