import { Alert, Button, Group, Stack, Title } from '@mantine/core';
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

/** What would come in, before anything is written. */
export function PreviewOf({ preview, starting, error, start, again }: Props) {
  const { counts, mapping, samples, skipped, errors, files } = preview;
  const many = counts.memories.toLocaleString('en');
  return (
    <Panel
      title={counts.memories === 1 ? 'One memory would come in' : `${many} memories would come in`}
      hint={
        <>
          From {counts.files === 1 ? 'one file' : `${counts.files.toLocaleString('en')} files`}
          {files.length === 1 && files[0] && (
            <>
              , <PlainText text={files[0].path} />
            </>
          )}
          . Nothing is written yet.
        </>
      }
    >
      <Stack gap="lg">
        <ul className={classes.counts} aria-label="Memories by type">
          {TYPES.map((type) => (
            <li key={type}>
              <span className={classes.number}>{counts[type].toLocaleString('en')}</span>
              <TypeMark type={type} />
            </li>
          ))}
        </ul>
        {preview.restores && (
          <Alert color="teal" variant="light">
            Your agent has no memories yet: these come back with their ids, times and history.
          </Alert>
        )}
        {samples.length > 0 && (
          <section>
            <Title order={3} mb="xs">
              Some of them
            </Title>
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
          </section>
        )}
        {mapping.map(({ format, title, fields }) => (
          <section key={format}>
            <Title order={3} mb="xs">
              What becomes what: {title}
            </Title>
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
          </section>
        ))}
        {skipped.length > 0 && (
          <section>
            <Title order={3} mb="xs">
              Left out
            </Title>
            <ul className={classes.plain}>
              {skipped.map(({ reason, count }) => (
                <li key={reason}>
                  {count.toLocaleString('en')} × <PlainText text={reason} />
                </li>
              ))}
            </ul>
          </section>
        )}
        {errors.length > 0 && (
          <section>
            <Title order={3} mb="xs">
              {counts.errors.toLocaleString('en')} cannot be imported
            </Title>
            <ul className={classes.plain}>
              {errors.map(({ path, item, message }) => (
                <li key={`${path} ${item}`}>
                  <PlainText text={path} />, item {item}: <PlainText text={message} />
                </li>
              ))}
            </ul>
          </section>
        )}
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
