import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, SegmentedControl, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useAgent } from '../api/agent.tsx';
import { type AnswerOf, callApi } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';
import type { ClickedPlace } from '../charts/chart.tsx';
import { LazyChart } from '../charts/lazy-chart.tsx';
import { GROUP_COLORS, usePalette } from '../charts/palette.ts';
import { BlockLink } from '../design/block-link.tsx';
import { Empty } from '../design/empty.tsx';
import { formatNumber } from '../design/format.ts';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import { memoriesOf } from '../design/names.ts';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { memoryPath } from '../navigation/paths.ts';
import { type Colored, drawMap } from './draw-map.ts';
import classes from './memory-map.module.css';
import { filtersOf, spaceOf, useView } from './use-view.ts';

type MapAnswer = AnswerOf<'GET /memories/map'>;

const HEIGHT = 560;
/** More points than that nobody tells apart, and they take long to draw. */
const MOST_PLACED = 5_000;
const MOST_FOUND = 100;
const POSSIBLE = 0.2;
const SHOWN = 60;

/** Draws the memories as points, similar ones near each other, in groups that have names and open as lists. */
export function MemoryMap() {
  const { view } = useView();
  const asked = { limit: MOST_PLACED, ...spaceOf(view) };
  const map = useAnswer('map', 'GET /memories/map', asked, { staleTime: 5 * 60_000 });
  return (
    <Panel
      title={t`Memory map`}
      hint={t`What is alike lies close together. Scroll to zoom, drag to move, click to open.`}
      action={
        <Button size="xs" variant="default" loading={map.isFetching} onClick={() => void map.refetch()}>
          <Trans>Draw anew</Trans>
        </Button>
      }
    >
      <QueryResult of={map} loading={<Loading />}>
        {(answer) =>
          answer.places.length === 0 ? (
            <Empty icon={IconMapOff} title={t`Nothing to place yet`}>
              {answer.unplaced > 0
                ? t`The agent keeps its memories to itself, or they are being read for the first time.`
                : t`As soon as there are memories, you see here what they are about.`}
            </Empty>
          ) : (
            <Plane answer={answer} />
          )
        }
      </QueryResult>
    </Panel>
  );
}

function Plane({ answer }: { answer: MapAnswer }) {
  const { places, clusters, unplaced } = answer;
  const palette = usePalette();
  const [, go] = useLocation();
  const { view } = useView();
  const [colored, setColored] = useState<Colored>('cluster');
  const [cluster, setCluster] = useState<number>();
  const found = useFound();
  const shown = useMemo(
    () => (view.type ? places.filter(({ type }) => type === view.type) : places),
    [places, view.type],
  );
  const option = useMemo(
    () => drawMap({ places: shown, clusters, colored, cluster, found, palette }),
    [shown, clusters, colored, cluster, found, palette],
  );
  return (
    <>
      <div className={classes.columns}>
        <div className={classes.map}>
          <LazyChart
            option={option}
            height={HEIGHT}
            label={t`${shown.length} memories, similar ones near each other, in ${clusters.length} groups. The list beside it names the groups.`}
            onClick={(clicked) => {
              const place = nearestTo(shown, clicked);
              if (place) go(memoryPath(place.id, place.space_id));
            }}
          />
        </div>
        <Groups answer={answer} colored={colored} chosen={cluster} choose={setCluster} />
      </div>
      <div className={classes.foot}>
        <SegmentedControl
          size="xs"
          aria-label={t`Colour by`}
          data={[
            { value: 'cluster', label: t`By group` },
            { value: 'type', label: t`By type` },
            { value: 'age', label: t`By age` },
          ]}
          value={colored}
          onChange={(value) => setColored(value as Colored)}
        />
        <Text size="sm" c="dimmed">
          {unplaced + places.length < MOST_PLACED ? (
            memoriesOf(shown.length)
          ) : (
            <Trans>
              {formatNumber(shown.length)} memories, of the newest {formatNumber(MOST_PLACED)}
            </Trans>
          )}
          {found && t`, ${formatNumber(found.size)} of them found`}
          {unplaced > 0 &&
            t`, ${formatNumber(unplaced)} more are not placed: the agent keeps them to itself, or they wait to be read`}
        </Text>
      </div>
    </>
  );
}

/** Returns the memory that a click means: the nearest within its reach. */
function nearestTo(places: MapAnswer['places'], { x, y, reachX, reachY }: ClickedPlace) {
  let nearest: MapAnswer['places'][number] | undefined;
  let least = 1;
  for (const place of places) {
    const distance = Math.hypot((place.x - x) / reachX, (place.y - y) / reachY);
    if (distance < least) [nearest, least] = [place, distance];
  }
  return nearest;
}

/** Returns the ids of the memories that the search finds; undefined without a search. */
function useFound(): ReadonlySet<string> | undefined {
  const { agent } = useAgent();
  const { view } = useView();
  const { query } = view;
  const input = { query, limit: MOST_FOUND, threshold: POSSIBLE, ...filtersOf(view) };
  const { data } = useQuery({
    queryKey: [agent.id, 'memories', 'on the map', input],
    queryFn: ({ signal }) => callApi('POST /memories/recall', input, { agent: agent.id, signal }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  return useMemo(
    () => (query !== '' && data ? new Set(data.results.map(({ id }) => id)) : undefined),
    [query, data],
  );
}

interface GroupsProps {
  readonly answer: MapAnswer;
  readonly colored: Colored;
  readonly chosen: number | undefined;
  readonly choose: (cluster: number | undefined) => void;
}

/** Names the groups. The chosen one opens as a list. */
function Groups({ answer: { clusters, places }, colored, chosen, choose }: GroupsProps) {
  const { view } = useView();
  return (
    <ul className={classes.groups} aria-label={t`Groups`}>
      {clusters.map(({ terms, memories, x, y }, number) => (
        <li key={`${x} ${y}`}>
          <UnstyledButton
            className={classes.group}
            aria-expanded={number === chosen}
            onClick={() => choose(number === chosen ? undefined : number)}
          >
            {colored === 'cluster' && (
              <svg width="10" height="10" aria-hidden="true">
                <circle cx="5" cy="5" r="5" fill={GROUP_COLORS[number % GROUP_COLORS.length]} />
              </svg>
            )}
            <span className={classes.name}>
              {terms.length === 0 ? t`Mixed` : <PlainText text={terms.join(' · ')} />}
            </span>
            <span className={classes.count}>{formatNumber(memories)}</span>
          </UnstyledButton>
          {number === chosen && (
            <ul className={classes.members}>
              {places
                .filter(({ cluster, type }) => cluster === number && (!view.type || type === view.type))
                .slice(0, SHOWN)
                .map(({ id, type, category, content, space_id }) => (
                  <li key={id}>
                    <BlockLink href={memoryPath(id, space_id)} className={classes.member}>
                      <TypeMark type={type} category={category} />
                      <MemoryText text={content} lines={2} size="small" />
                    </BlockLink>
                  </li>
                ))}
              {memories > SHOWN && (
                <li className={classes.more}>
                  <Trans>The newest {SHOWN} of them</Trans>
                </li>
              )}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}

function Loading() {
  return (
    <div className={classes.columns} aria-busy="true">
      <Skeleton height={HEIGHT} radius="md" />
      <div className={classes.waiting}>
        {[70, 55, 80, 60, 45, 65].map((width) => (
          <Skeleton key={width} height={16} width={`${width}%`} />
        ))}
      </div>
    </div>
  );
}
