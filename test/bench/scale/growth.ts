/** One measured number of one stage. */
export interface ScaleFigure {
  readonly stage: string;
  /** In the one tenant of the stage; 0 where there are more tenants. */
  readonly memories: number;
  readonly what: string;
  readonly ours: number;
  readonly floor?: number;
  readonly goal?: string;
}

const [LEFT, TOP, WIDTH, HEIGHT] = [60, 40, 560, 320];
const COUNTS = [1_000, 10_000, 100_000, 1_000_000];
const TIMES = [1, 10, 100, 1_000];
const SERIES = [
  { name: 'recall p50', what: 'recall p50, ms', side: 'ours', colour: '#4263eb' },
  { name: 'recall p95', what: 'recall p95, ms', side: 'ours', colour: '#91a7ff' },
  { name: 'floor p50', what: 'recall p50, ms', side: 'floor', colour: '#868e96' },
] as const;

/** How recall's times grow with the memories of a tenant, both axes logarithmic, as SVG. */
export function plotGrowth(figures: readonly ScaleFigure[]): string {
  const x = (memories: number) => LEFT + (Math.log10(memories / 1_000) / 3) * WIDTH;
  const y = (ms: number) => TOP + HEIGHT - (Math.log10(Math.max(ms, 1)) / 3) * HEIGHT;
  const grid = [
    ...COUNTS.map((count) =>
      [
        `<path d="M${x(count)} ${TOP}v${HEIGHT}" stroke="#e9ecef"/>`,
        `<text x="${x(count)}" y="${TOP + HEIGHT + 18}" text-anchor="middle">${count.toLocaleString('en')}</text>`,
      ].join(''),
    ),
    ...TIMES.map((ms) =>
      [
        `<path d="M${LEFT} ${y(ms)}h${WIDTH}" stroke="#e9ecef"/>`,
        `<text x="${LEFT - 8}" y="${y(ms) + 4}" text-anchor="end">${ms} ms</text>`,
      ].join(''),
    ),
  ];
  const lines = SERIES.flatMap(({ name, what, side, colour }, place) => {
    const points = figures
      .filter((figure) => figure.what === what && figure.memories > 0)
      .sort((a, b) => a.memories - b.memories)
      .flatMap((figure) => {
        const ms = figure[side];
        return ms === undefined ? [] : [[x(figure.memories), y(ms)] as const];
      });
    const path = points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ');
    return [
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...points.map(
        ([px, py]) => `<circle cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="3" fill="${colour}"/>`,
      ),
      `<text x="${LEFT + 14 + place * 120}" y="${TOP - 12}" fill="${colour}">${name}</text>`,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + WIDTH + 60}" height="${TOP + HEIGHT + 50}" font-family="sans-serif" font-size="12">`,
    '<title>Milliseconds of a recall by memories of the tenant</title>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...grid,
    ...lines,
    `<text x="${LEFT + WIDTH / 2}" y="${TOP + HEIGHT + 40}" text-anchor="middle">memories of the tenant asked</text>`,
    '</svg>',
    '',
  ].join('\n');
}
