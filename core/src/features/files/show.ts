import { makeVisible } from '../../text/visible.ts';
import { refused } from './answers.ts';
import { namesOf } from './path.ts';
import type { TreeFile } from './tree.ts';

const MOST_LINES = 999_999;
const NUMBER_WIDTH = 6;
const CONTEXT_LINES = 2;
const LISTED_DEPTH = 2;

/** A folder, its files and folders up to two levels deep, each with its size: of a folder that of all it holds. */
export function showFolder(folder: string, files: readonly TreeFile[]): string {
  const depth = namesOf(folder).length;
  const sizes = new Map<string, number>();
  let total = 0;
  for (const { path, bytes } of files) {
    total += bytes;
    const names = namesOf(path).slice(depth);
    for (let level = 1; level <= Math.min(names.length, LISTED_DEPTH); level += 1) {
      const place = [folder, ...names.slice(0, level)].join('/') + (level < names.length ? '/' : '');
      sizes.set(place, (sizes.get(place) ?? 0) + bytes);
    }
  }
  const lines = [...sizes].sort(([one], [other]) => inOrder(one, other));
  return [
    `Here're the files and directories up to 2 levels deep in ${folder}, excluding hidden items and node_modules:`,
    `${formatSize(total)}\t${folder}`,
    ...lines.map(([path, bytes]) => `${formatSize(bytes)}\t${path}`),
  ].join('\n');
}

/** Name by name, so that what a folder holds comes right behind it. */
function inOrder(one: string, other: string): number {
  const [left, right] = [namesOf(one), namesOf(other)];
  const place = left.findIndex((name, index) => name !== right[index]);
  if (place === -1) return left.length - right.length;
  const [here, there] = [left[place] ?? '', right[place]];
  return there === undefined ? 1 : here < there ? -1 : 1;
}

function formatSize(bytes: number): string {
  const units = ['B', 'K', 'M', 'G'];
  const power = bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1_024));
  const size = bytes / 1_024 ** power;
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${units[power]}`;
}

/**
 * The text of a file with line numbers.
 *
 * @param range First and last line, from 1; -1 for the last of the file.
 */
export function showFile(path: string, content: string, range?: readonly [number, number]): string {
  const lines = linesOf(content);
  if (lines.length > MOST_LINES) throw refused(`File ${path} exceeds maximum line limit of 999,999 lines.`);
  const [first, last] = range ? requireRange(range, lines.length) : [1, lines.length];
  return `Here's the content of ${path} with line numbers:\n${numbered(lines, first, last)}`;
}

function requireRange([from, to]: readonly [number, number], count: number): [number, number] {
  const last = to === -1 ? count : to;
  if (from >= 1 && from <= count && last >= from) return [from, last];
  throw refused(
    `Error: Invalid \`view_range\` parameter: [${from}, ${to}]. It should be within the range of lines of the file: [1, ${count}], the second not before the first, or -1`,
  );
}

/** Lines around a place that was edited, with their numbers. */
export function showEdited(content: string, firstLine: number, changedLines: number): string {
  const last = firstLine + changedLines - 1 + CONTEXT_LINES;
  return numbered(linesOf(content), Math.max(1, firstLine - CONTEXT_LINES), last);
}

function numbered(lines: readonly string[], first: number, last: number): string {
  return lines
    .slice(first - 1, last)
    .map((line, index) => `${String(first + index).padStart(NUMBER_WIDTH)}\t${line}`)
    .join('\n');
}

/** What a text shows to a model, line by line: nothing in it hides, or passes for the words of its host. */
function linesOf(content: string): string[] {
  return makeVisible(content).split('\n');
}
