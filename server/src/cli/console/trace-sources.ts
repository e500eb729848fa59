import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** A frame of a stack trace that lies in a file: what comes before, the file's address, line and column. */
const FRAME = /^(.*?)(file:\/\/[^\s()]+\.js):(\d+):(\d+)(\)?)$/;

/**
 * Makes stack traces name the sources of what is bundled. Node can do so by itself, but reads all maps at the start; here one
 * is read when a trace first names its file.
 */
export function traceSources(): void {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (file: string): SourceMap | undefined => {
    if (!maps.has(file)) maps.set(file, readMap(file));
    return maps.get(file);
  };
  Error.prepareStackTrace = (error, frames) =>
    [String(error), ...frames.map((frame) => `    at ${toSource(String(frame), mapOf)}`)].join('\n');
}

function toSource(frame: string, mapOf: (file: string) => SourceMap | undefined): string {
  const [, before = '', file = '', line, column, after = ''] = FRAME.exec(frame) ?? [];
  // Maps count from 0, traces from 1.
  const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
  if (!entry || !('originalSource' in entry)) return frame;
  const source = new URL(entry.originalSource, file).href;
  return `${before}${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}${after}`;
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
  } catch {
    // What is not bundled has no map.
    return undefined;
  }
}
