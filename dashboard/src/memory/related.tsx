import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import type { AnswerOf } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { useAnswer } from '../api/hooks.ts';
import { BlockLink } from '../design/block-link.tsx';
import { MemoryText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
import { memoryPath } from '../navigation/paths.ts';
import classes from './related.module.css';
import { isReadable, type Memory, type MemoryPlace, placeOf } from './version.ts';

type Similar = AnswerOf<'GET /memories/{id}/similar'>['results'][number];
type Shown = Pick<
  Memory,
  'id' | 'type' | 'category' | 'content' | 'occurred_at' | 'superseded_by' | 'space_id' | 'user_id'
>;

/** How many of a long list are read before somebody asks for all. */
const FIRST = 5;

/** Shows where a memory comes from, what it replaced or what replaced it, and which others are like it. */
export function RelatedMemories({ memory, superseded }: { memory: Memory; superseded: readonly string[] }) {
  const sources = memory.derived_from ?? [];
  const newer = memory.superseded_by;
  const place = placeOf(memory);
  return (
    <>
      {sources.length > 0 && (
        <Panel title={t`Its sources`} hint={t`What it sums up, as it was when it was written`} flush>
          <MemoryLinks ids={sources} place={place} />
        </Panel>
      )}
      {(superseded.length > 0 || newer !== undefined) && (
        <Panel title={t`Through time`} hint={t`What was true before, and what came after`} flush>
          {newer !== undefined && <MemoryLinks ids={[newer]} place={place} label={t`After it`} />}
          {superseded.length > 0 && <MemoryLinks ids={superseded} place={place} label={t`Before it`} />}
        </Panel>
      )}
      {isReadable(memory) && <SimilarOnes memory={memory} />}
    </>
  );
}

interface LinksProps {
  readonly ids: readonly string[];
  readonly place: MemoryPlace;
  readonly label?: string;
}

function MemoryLinks({ ids, place, label }: LinksProps) {
  const [all, setAll] = useState(false);
  return (
    <>
      {label !== undefined && <h3 className={classes.label}>{label}</h3>}
      <ul className={classes.rows}>
        {(all ? ids : ids.slice(0, FIRST)).map((id) => (
          <li key={id}>
            <LinkTo id={id} place={place} />
          </li>
        ))}
      </ul>
      {!all && ids.length > FIRST && (
        <Button variant="subtle" size="xs" mx="lg" mb="xs" onClick={() => setAll(true)}>
          <Trans>Show all {ids.length}</Trans>
        </Button>
      )}
    </>
  );
}

/** Reads one memory and links to it. It may be erased, or withheld by the agent. */
function LinkTo({ id, place }: { id: string; place: MemoryPlace }) {
  const asked = { id, ...place };
  const found = useAnswer('memories', 'GET /memories/{id}/history', asked, { staleTime: 60_000 });
  if (found.error instanceof ApiError && found.error.status === 404) {
    return (
      <Text size="sm" c="dimmed" className={classes.row ?? ''}>
        <Trans>One that was erased, or that the agent keeps to itself</Trans>
      </Text>
    );
  }
  return (
    <QueryResult of={found} loading={<Skeleton height={40} width="auto" mx="lg" my="xs" />}>
      {({ memory }) => <Row memory={memory} archived={memory.archived_at !== undefined} />}
    </QueryResult>
  );
}

function SimilarOnes({ memory }: { memory: Memory }) {
  const asked = { id: memory.id, ...placeOf(memory) };
  const found = useAnswer('memories', 'GET /memories/{id}/similar', asked, { staleTime: 60_000 });
  return (
    <Panel title={t`Similar ones`} hint={t`What your agent knows that says something like it`} flush>
      <QueryResult of={found} loading={<Skeleton height={60} width="auto" mx="lg" my="sm" />}>
        {({ results }) => <SimilarList results={results} />}
      </QueryResult>
    </Panel>
  );
}

function SimilarList({ results }: { results: readonly Similar[] }) {
  if (results.length === 0) {
    return (
      <Text size="sm" c="dimmed" px="lg" py="xs">
        <Trans>Nothing else says anything like it.</Trans>
      </Text>
    );
  }
  return (
    <ul className={classes.rows}>
      {results.map((result) => (
        <li key={result.id}>
          <Row memory={result} similarity={result.similarity} />
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  readonly memory: Shown;
  readonly archived?: boolean;
  /** 0 to 1. */
  readonly similarity?: number;
}

function Row({ memory, archived = false, similarity }: RowProps) {
  const { id, type, category, content, occurred_at, space_id, user_id } = memory;
  return (
    <BlockLink href={memoryPath(id, space_id, user_id)} className={classes.row}>
      <span className={classes.facts}>
        <TypeMark type={type} category={category} />
        {archived && (
          <span>
            <Trans>archived</Trans>
          </span>
        )}
        <When at={occurred_at} />
        {similarity !== undefined && (
          <span className={classes.similarity}>{Math.round(similarity * 100)} %</span>
        )}
      </span>
      <MemoryText text={content} lines={2} size="small" />
    </BlockLink>
  );
}
