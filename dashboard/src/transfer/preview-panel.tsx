import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { explain } from '../api/error.ts';
import { formatNumber } from '../design/format.ts';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { TYPES, TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
import { serverText } from '../language/server-text.ts';
import type { Preview } from './source.ts';
import classes from './transfer.module.css';

interface Props {
  readonly preview: Preview;
  readonly starting: boolean;
  readonly error: Error | null;
  readonly start: () => void;
  readonly again: () => void;
}

/** Shows what an import would bring. Nothing is written before the human starts it. */
export function PreviewPanel({ preview, starting, error, start, again }: Props) {
  const { counts } = preview;
  const many = formatNumber(counts.memories);
  return (
    <Panel
      title={plural(counts.memories, {
        one: 'One memory would come in',
        other: `${many} memories would come in`,
      })}
      hint={<Origin preview={preview} />}
    >
      <Stack gap="lg">
        <Counts preview={preview} />
        {preview.restores && (
          <Alert color="teal" variant="light">
            <Trans>Your agent has no memories yet: these come back with their ids, times and history.</Trans>
          </Alert>
        )}
        <Samples preview={preview} />
        <Mapping preview={preview} />
        <Skipped preview={preview} />
        <Errors preview={preview} />
        {error && (
          <Alert color="red" variant="light" role="alert">
            {explain(error)}
          </Alert>
        )}
        <Group gap="sm">
          <Button onClick={start} loading={starting} disabled={counts.memories === 0}>
            {plural(counts.memories, { one: 'Import it', other: `Import ${many} memories` })}
          </Button>
          <Button variant="default" onClick={again}>
            <Trans>Choose something else</Trans>
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}

type PartProps = Pick<Props, 'preview'>;

function Origin({ preview: { counts, files } }: PartProps) {
  return (
    <>
      {plural(counts.files, { one: 'From one file', other: 'From # files' })}
      {files.length === 1 && files[0] && (
        <>
          , <PlainText text={files[0].path} />
        </>
      )}
      <Trans>. Nothing is written yet.</Trans>
    </>
  );
}

function Counts({ preview: { counts } }: PartProps) {
  return (
    <ul className={classes.counts} aria-label={t`Memories by type`}>
      {TYPES.map((type) => (
        <li key={type}>
          <span className={classes.number}>{formatNumber(counts[type])}</span>
          <TypeMark type={type} />
        </li>
      ))}
    </ul>
  );
}

function Samples({ preview: { samples } }: PartProps) {
  if (samples.length === 0) return null;
  return (
    <Part title={t`Some of them`}>
      <ol>
        {samples.map((sample, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no name of their own
          <li key={index} className={classes.sample}>
            <div className={classes.facts}>
              <TypeMark type={sample.type} category={sample.category} />
              {sample.occurred_at && <When at={sample.occurred_at} />}
              {sample.tags.length > 0 && <PlainText text={sample.tags.join(', ')} />}
            </div>
            <MemoryText text={sample.content} lines={3} size="small" />
          </li>
        ))}
      </ol>
    </Part>
  );
}

function Mapping({ preview: { mapping } }: PartProps) {
  return mapping.map(({ format, title, fields }) => (
    <Part key={format} title={t`What becomes what: ${serverText(title)}`}>
      <dl className={classes.mapping}>
        {fields.map(({ from, to }) => (
          <div key={`${from} ${to}`}>
            <dt>
              <PlainText text={serverText(from)} />
            </dt>
            <dd>{serverText(to)}</dd>
          </div>
        ))}
      </dl>
    </Part>
  ));
}

function Skipped({ preview: { skipped } }: PartProps) {
  if (skipped.length === 0) return null;
  return (
    <Part title={t`Left out`}>
      <ul className={classes.plain}>
        {skipped.map(({ reason, count, names }) => (
          <li key={reason}>
            {formatNumber(count)} × <PlainText text={serverText(reason)} />
            <Names of={count} names={names} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Which these are: the first, and how many others. */
function Names({ of: count, names }: { of: number; names: Preview['skipped'][number]['names'] }) {
  if (names.length === 0) return null;
  const more = names.reduce((rest, one) => rest - one.count, count);
  return (
    <ul className={classes.plain}>
      {names.map(({ name, count: times }) => (
        <li key={name}>
          <PlainText text={name} />
          {times > 1 && ` × ${formatNumber(times)}`}
        </li>
      ))}
      {more > 0 && <li>{t`And ${formatNumber(more)} more.`}</li>}
    </ul>
  );
}

function Errors({ preview: { counts, errors } }: PartProps) {
  if (errors.length === 0) return null;
  return (
    <Part title={t`${formatNumber(counts.errors)} cannot be imported`}>
      <ul className={classes.plain}>
        {errors.map(({ path, item, message }) => (
          <li key={`${path} ${item}`}>
            <Trans>
              <PlainText text={path} />, item {item}: <PlainText text={serverText(message)} />
            </Trans>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={3} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}
