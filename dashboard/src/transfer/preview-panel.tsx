import { Alert, Button, Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { explain } from '../api/error.ts';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { TYPES, TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
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
  const many = counts.memories.toLocaleString('en');
  return (
    <Panel
      title={counts.memories === 1 ? 'One memory would come in' : `${many} memories would come in`}
      hint={<Origin preview={preview} />}
    >
      <Stack gap="lg">
        <Counts preview={preview} />
        {preview.restores && (
          <Alert color="teal" variant="light">
            Your agent has no memories yet: these come back with their ids, times and history.
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
            {counts.memories === 1 ? 'Import it' : `Import ${many} memories`}
          </Button>
          <Button variant="default" onClick={again}>
            Choose something else
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
      From {counts.files === 1 ? 'one file' : `${counts.files.toLocaleString('en')} files`}
      {files.length === 1 && files[0] && (
        <>
          , <PlainText text={files[0].path} />
        </>
      )}
      . Nothing is written yet.
    </>
  );
}

function Counts({ preview: { counts } }: PartProps) {
  return (
    <ul className={classes.counts} aria-label="Memories by type">
      {TYPES.map((type) => (
        <li key={type}>
          <span className={classes.number}>{counts[type].toLocaleString('en')}</span>
          <TypeMark type={type} />
        </li>
      ))}
    </ul>
  );
}

function Samples({ preview: { samples } }: PartProps) {
  if (samples.length === 0) return null;
  return (
    <Part title="Some of them">
      <ol className={classes.samples}>
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
    <Part key={format} title={`What becomes what: ${title}`}>
      <dl className={classes.mapping}>
        {fields.map(({ from, to }) => (
          <div key={`${from} ${to}`}>
            <dt>
              <PlainText text={from} />
            </dt>
            <dd>{to}</dd>
          </div>
        ))}
      </dl>
    </Part>
  ));
}

function Skipped({ preview: { skipped } }: PartProps) {
  if (skipped.length === 0) return null;
  return (
    <Part title="Left out">
      <ul className={classes.plain}>
        {skipped.map(({ reason, count }) => (
          <li key={reason}>
            {count.toLocaleString('en')} × <PlainText text={reason} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Errors({ preview: { counts, errors } }: PartProps) {
  if (errors.length === 0) return null;
  return (
    <Part title={`${counts.errors.toLocaleString('en')} cannot be imported`}>
      <ul className={classes.plain}>
        {errors.map(({ path, item, message }) => (
          <li key={`${path} ${item}`}>
            <PlainText text={path} />, item {item}: <PlainText text={message} />
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
