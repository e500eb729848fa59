import { splitUnseen } from '@svc-memory/core/text';
import type { AnswerOf } from '../api/call.ts';
import { GROUP_COLORS, type Palette, tooltip } from '../charts/palette.ts';

type MapAnswer = AnswerOf<'GET /memories/map'>;
type Place = MapAnswer['places'][number];

/** What the colour of a point tells. */
export type Colored = 'cluster' | 'type' | 'age';

const MANY = 2_000;
const LINE = 52;
const NAMED = 6;
const AGES = 5;
const FAINT = 0.12;

interface Drawn {
  readonly places: readonly Place[];
  readonly clusters: MapAnswer['clusters'];
  readonly colored: Colored;
  /** The cluster that is looked at; all others are faint. */
  readonly cluster: number | undefined;
  /** Ids of what a search found; all others are faint. */
  readonly found: ReadonlySet<string> | undefined;
  readonly palette: Palette;
}

/** Returns the options of the chart. */
export function drawMap({ places, clusters, colored, cluster, found, palette }: Drawn) {
  const axis = { type: 'value', min: -1.04, max: 1.04, show: false } as const;
  const colorOf = coloring(places, colored, palette);
  const many = places.length > MANY;
  const isFaint = (place: Place) =>
    (cluster !== undefined && place.cluster !== cluster) || (found !== undefined && !found.has(place.id));
  const groups = new Map<string, [number, number, number][]>();
  for (const [index, place] of places.entries()) {
    const name = `${colorOf(place)} ${isFaint(place) ? 'faint' : ''}`;
    const points = groups.get(name) ?? [];
    points.push([place.x, place.y, index]);
    groups.set(name, points);
  }
  return {
    animation: false,
    grid: { left: 0, right: 0, top: 0, bottom: 0 },
    xAxis: axis,
    yAxis: axis,
    tooltip: {
      ...tooltip(palette),
      formatter: ({ data }: { data: readonly number[] }) => describe(places[data[2] ?? -1]),
    },
    dataZoom: [
      { type: 'inside', xAxisIndex: 0, filterMode: 'none' },
      { type: 'inside', yAxisIndex: 0, filterMode: 'none' },
    ],
    series: [
      ...[...groups].map(([name, data]) => {
        const [color = '', faint = ''] = name.split(' ');
        return {
          type: 'scatter',
          // One shape for all points of a colour, in place of one each.
          large: many,
          largeThreshold: 0,
          color,
          symbolSize: many ? 5 : 9,
          itemStyle: { opacity: faint === '' ? (many ? 0.6 : 0.85) : FAINT },
          emphasis: { scale: 1.8, itemStyle: { opacity: 1 } },
          data,
        };
      }),
      names(clusters, palette),
    ],
  };
}

/** The names of the largest clusters, written over their middles. */
function names(clusters: MapAnswer['clusters'], { text, surface }: Palette) {
  return {
    type: 'scatter',
    silent: true,
    symbolSize: 0,
    labelLayout: { hideOverlap: true },
    data: clusters
      .filter(({ terms }) => terms.length > 0)
      .slice(0, NAMED)
      .map(({ x, y, terms }) => ({
        value: [x, y],
        label: { formatter: plain(terms.slice(0, 2).join(' · ')) },
      })),
    label: {
      show: true,
      position: 'inside',
      color: text,
      fontFamily: "'Inter Variable', sans-serif",
      fontSize: 12,
      fontWeight: 600,
      textBorderColor: surface,
      textBorderWidth: 3,
    },
  };
}

function coloring(
  places: readonly Place[],
  colored: Colored,
  { types, line }: Palette,
): (place: Place) => string {
  if (colored === 'type') return ({ type }) => types[type];
  if (colored === 'cluster') return ({ cluster }) => GROUP_COLORS[cluster % GROUP_COLORS.length] ?? line;
  // By fifths, the newest in the strongest colour; places are sorted newest first.
  const rank = new Map(places.map(({ id }, index) => [id, Math.floor((index * AGES) / places.length)]));
  return ({ id }) => mix(types.core, types.working, (rank.get(id) ?? 0) / (AGES - 1));
}

/** Mixes two colours of the form `#rrggbb`. `share` is the part of the second, 0 to 1. */
function mix(one: string, other: string, share: number): string {
  const part = (color: string, at: number) => Number.parseInt(color.slice(1 + 2 * at, 3 + 2 * at), 16);
  const mixed = [0, 1, 2].map((at) =>
    Math.round(part(one, at) * (1 - share) + part(other, at) * share)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${mixed.join('')}`;
}

/** Returns the text of a tooltip, wrapped into short lines. */
function describe(place: Place | undefined): string {
  if (!place) return '';
  const text = plain(place.content).replace(/\s+/g, ' ');
  const lines = text.match(new RegExp(`.{1,${LINE}}(?:\\s|$)|.{1,${LINE}}`, 'gu')) ?? [];
  const kind = place.category === null ? place.type : `${place.type} · ${place.category}`;
  return [kind, ...lines.slice(0, 5).map((line) => line.trim())].join('\n');
}

/** Names what cannot be seen, and takes out what a rich text of ECharts reads as markup: `{name|…}`. */
function plain(text: string): string {
  return splitUnseen(text)
    .map((part) => (typeof part === 'string' ? part : `[${part.code}]`))
    .join('')
    .replace(/[{}|]/g, ' ');
}
