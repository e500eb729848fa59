import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname } from 'node:path';

/** Says on stderr what is going on; the last line is overwritten on a terminal. */
export type Progress = (text: string) => void;

/** One measured number. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit:
    | 'ms'
    | 's'
    | 'MiB'
    | 'kB'
    | 'rows'
    | 'µs'
    | 'statements'
    | 'calls'
    | 'memories'
    | 'writes/s'
    | '%'
    | '% of a core';
  /** What the machine takes at least, measured in the same run. */
  readonly floor?: number;
  /** Median over the rounds of value / floor. */
  readonly ratio?: number;
  /** The most that `ratio`, or without a floor `value`, should be. */
  readonly goal?: number;
}

/** A whole run. */
export interface Report {
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly database: 'pglite' | 'postgres';
  readonly memories: number;
  readonly figures: readonly Figure[];
}

/** A report of figures measured on this machine. */
export function reportOf(run: Pick<Report, 'database' | 'memories' | 'figures'>): Report {
  const processors = cpus();
  return { node: process.version, cpu: processors[0]?.model ?? 'unknown', cores: processors.length, ...run };
}

export function createProgress(): Progress {
  const { stderr } = process;
  return (text) => {
    stderr.write(stderr.isTTY ? `\r\x1b[2K${text}` : `${text}\n`);
  };
}

/** Writes a file, and the folder it is in. */
export async function save(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Whether a figure keeps to its goal; undefined where it has none. */
export function meetsGoal({ value, ratio, goal }: Figure): boolean | undefined {
  return goal === undefined ? undefined : (ratio ?? value) <= goal;
}

/** A table for people. */
export function toTable({ figures, ...run }: Report): string {
  const lines = figures.map((figure) => [
    figure.name,
    `${digits(figure.value)} ${figure.unit}`,
    figure.floor === undefined ? '' : `${digits(figure.floor)} ${figure.unit}`,
    figure.ratio === undefined ? '' : `${figure.ratio.toFixed(2)}x`,
    figure.goal === undefined
      ? ''
      : `<= ${figure.goal}${figure.ratio === undefined ? ` ${figure.unit}` : 'x'}`,
    { true: 'met', false: 'MISSED', undefined: '' }[`${meetsGoal(figure)}`],
  ]);
  const table = [['', 'measured', 'floor', 'ratio', 'goal', ''], ...lines];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  const rows = table.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths?.[column] ?? 0) : cell.padStart(widths?.[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return [`${run.database}, ${run.memories} memories, ${run.cores} x ${run.cpu}, Node ${run.node}`, ...rows]
    .map((line) => `${line}\n`)
    .join('');
}

/** The compared figures as bars, ours over the floor's; a line marks the goal. */
export function toSvg({ figures, database, memories }: Report): string {
  const compared = figures.filter(
    (figure): figure is Figure & { floor: number; ratio: number } => figure.ratio !== undefined,
  );
  const most = Math.max(2, ...compared.map(({ ratio, goal }) => Math.max(ratio, goal ?? 0)));
  const [left, width, height] = [260, 420, 46];
  const at = (share: number) => left + (share / most) * width;
  const bars = compared.flatMap(({ name, unit, value, floor, ratio, goal }, place) => {
    const y = 44 + place * height;
    return [
      `<text x="${left - 10}" y="${y + 22}" text-anchor="end">${name}</text>`,
      `<rect x="${left}" y="${y}" width="${at(ratio) - left}" height="16" fill="#4263eb"/>`,
      `<text x="${at(ratio) + 6}" y="${y + 13}">${digits(value)} ${unit}, ${ratio.toFixed(2)}x</text>`,
      `<rect x="${left}" y="${y + 18}" width="${at(1) - left}" height="10" fill="#adb5bd"/>`,
      `<text x="${at(1) + 6}" y="${y + 28}" fill="#495057">floor ${digits(floor)} ${unit}</text>`,
      ...(goal === undefined
        ? []
        : [`<path d="M${at(goal)} ${y - 4}v36" stroke="#e03131" stroke-dasharray="3 2"/>`]),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + width + 160}" height="${60 + compared.length * height}" font-family="sans-serif" font-size="12">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="10" y="20" font-size="14">Times over their floor (${database}, ${memories} memories; red: goal)</text>`,
    ...bars,
    '</svg>',
    '',
  ].join('\n');
}

function digits(value: number): string {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
