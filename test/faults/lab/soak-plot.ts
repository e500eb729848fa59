import type { Sample } from './soak-samples.ts';

/** The samples of one service. */
export interface Course {
  readonly name: string;
  readonly samples: readonly Sample[];
}

const PANELS = [
  { title: 'resident memory, MiB', of: (sample: Sample) => sample.residentMiB },
  { title: 'open handles', of: (sample: Sample) => sample.handles },
  { title: 'data, MiB', of: (sample: Sample) => sample.folderMiB },
  { title: 'write-ahead log, MiB', of: (sample: Sample) => sample.logMiB },
  { title: 'processor time of a call, ms', of: (sample: Sample) => sample.cpu },
  { title: 'p50 of a call, ms', of: (sample: Sample) => sample.p50 },
  { title: 'p95 of a call, ms', of: (sample: Sample) => sample.p95 },
  { title: 'p50 of a call of the floor, ms', of: (sample: Sample) => sample.floor50 },
  { title: 'load of the machine, for each processor', of: (sample: Sample) => sample.load },
];
const COLOURS = ['#4263eb', '#e8590c'];
const [LEFT, TOP, WIDTH, HEIGHT, STEP] = [60, 50, 560, 90, 130];

/** How services went over a soak: a panel for each figure, a line for each service, as SVG. */
export function plotSoak(courses: readonly Course[]): string {
  const minutes = Math.max(...courses.flatMap(({ samples }) => samples.map((sample) => sample.minutes)), 0.1);
  const x = (at: number) => LEFT + (at / minutes) * WIDTH;
  const panels = PANELS.flatMap(({ title, of }, place) => {
    const top = TOP + place * STEP;
    const most = Math.max(...courses.flatMap(({ samples }) => samples.map(of)), 1);
    const y = (value: number) => top + HEIGHT - (value / most) * HEIGHT;
    return [
      `<path d="M${LEFT} ${top}v${HEIGHT}h${WIDTH}" fill="none" stroke="#adb5bd"/>`,
      `<text x="${LEFT}" y="${top - 8}">${title}</text>`,
      `<text x="${LEFT - 8}" y="${top + 10}" text-anchor="end">${Math.ceil(most)}</text>`,
      `<text x="${LEFT - 8}" y="${top + HEIGHT}" text-anchor="end">0</text>`,
      ...courses.map(({ samples }, number) => {
        const points = samples.map((sample) => `${x(sample.minutes).toFixed(1)},${y(of(sample)).toFixed(1)}`);
        return `<polyline points="${points.join(' ')}" fill="none" stroke="${COLOURS[number]}" stroke-width="1.5"/>`;
      }),
    ];
  });
  const height = TOP + PANELS.length * STEP;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + WIDTH + 40}" height="${height}" font-family="sans-serif" font-size="12">`,
    `<title>A service under mixed calls for ${Math.round(minutes)} minutes</title>`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...courses.map(
      ({ name }, number) =>
        `<text x="${LEFT + number * 180}" y="20" fill="${COLOURS[number]}">${name}</text>`,
    ),
    ...panels,
    `<text x="${LEFT + WIDTH / 2}" y="${height - 12}" text-anchor="middle">minutes, 0 to ${minutes.toFixed(1)}</text>`,
    '</svg>',
    '',
  ].join('\n');
}
