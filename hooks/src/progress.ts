import { closeSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseFields } from './files/fields.ts';
import { openPlainFile, readOwnFile } from './files/plain-file.ts';
import type { HookFramework, TranscriptTurn } from './frameworks/framework.ts';
import { readTurns } from './transcript.ts';

/** Bytes of a transcript's end that are sent before all that is older, where more is new than twice as much. */
const NEWEST_BYTES = 262_144;
/** Bytes that are sent in their order of what is older, the newest of these stretches first. */
const OLDER_BYTES = 1_048_576;
const NEWLINE = 10;

/** A stretch of a transcript that is not sent yet, in bytes. */
interface Gap {
  readonly start: number;
  readonly end: number;
}

/** How far a transcript is sent: up to `end`, but for the gaps, oldest first. */
export interface Progress {
  readonly end: number;
  readonly gaps: readonly Gap[];
}

/** Turns to send, and how far the transcript is sent then; undefined where they come from elsewhere. */
export interface FlushStep {
  readonly turns: readonly TranscriptTurn[];
  readonly progress: Progress | undefined;
  /** Whether newer turns were sent before these. */
  readonly isOlder: boolean;
}

const NOTHING: Progress = { end: 0, gaps: [] };

/** Reads what `formatProgress` wrote. */
export function parseProgress(text: string | undefined): Progress {
  const { end, gaps } = (parseFields(text) ?? {}) as Partial<Progress>;
  const isWhole = Number.isSafeInteger(end) && Array.isArray(gaps) && gaps.every(isGap);
  return isWhole ? { end: Number(end), gaps } : NOTHING;
}

export function formatProgress(progress: Progress): string {
  return JSON.stringify(progress);
}

/** Bytes that are not sent yet before the end of what is. */
export function backlogOf({ gaps }: Progress): number {
  return gaps.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** Bytes of transcripts that hooks of this folder have not sent yet though newer turns are. */
export function transcriptBacklog(home: string): number {
  const folder = join(home, 'hooks');
  try {
    const facts = readdirSync(folder).filter((name) => /^read-[0-9a-f]+$/.test(name));
    const backlogs = facts.map((name) => backlogOf(parseProgress(readOwnFile(join(folder, name)))));
    return backlogs.reduce((sum, bytes) => sum + bytes, 0);
  } catch {
    return 0;
  }
}

/** A number of bytes as people read it. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

/**
 * What of a transcript is not sent yet: the newest first, since a compaction is about to drop it, then what is older, from
 * its newest on. Within a step turns are in their order.
 *
 * @param complete as for `readTurns`
 */
export function* unsentTurns(
  path: string,
  toLine: HookFramework['toLine'],
  { progress, complete }: { readonly progress: Progress; readonly complete: boolean },
): Generator<FlushStep> {
  const { size } = statSync(path);
  const known = progress.end <= size ? progress : NOTHING;
  const isLong = size - known.end > 2 * NEWEST_BYTES;
  const start = isLong ? nextLine(path, size - NEWEST_BYTES, size) : known.end;
  let gaps = isLong ? [...known.gaps, { start: known.end, end: start }] : known.gaps;
  let { end } = known;
  for (const batch of readTurns(path, toLine, { start, complete })) {
    end = batch.end;
    yield { turns: batch.turns, progress: { end, gaps }, isOlder: false };
  }
  for (let gap = gaps.at(-1); gap; gap = gaps.at(-1)) {
    const from = lastStretch(path, gap);
    const older = [...gaps.slice(0, -1), ...(from > gap.start ? [{ start: gap.start, end: from }] : [])];
    for (const batch of readTurns(path, toLine, { start: from, end: gap.end, complete: true })) {
      gaps = batch.end < gap.end ? [...older, { start: batch.end, end: gap.end }] : older;
      yield { turns: batch.turns, progress: { end, gaps }, isOlder: true };
    }
    gaps = older;
  }
}

/** Where the last stretch of a gap begins: at a line, so that a line longer than a stretch makes it longer. */
function lastStretch(path: string, { start, end }: Gap): number {
  for (let bytes = OLDER_BYTES; end - start > bytes; bytes *= 2) {
    const line = nextLine(path, end - bytes, end);
    if (line < end) return line;
  }
  return start;
}

function isGap(gap: unknown): boolean {
  const { start, end } = Object(gap) as Partial<Gap>;
  return Number.isSafeInteger(start) && Number.isSafeInteger(end) && Number(start) < Number(end);
}

/** Where the first line begins behind an offset; `end` where none does. */
function nextLine(path: string, offset: number, end: number): number {
  const file = openPlainFile(path);
  try {
    const chunk = Buffer.allocUnsafe(65_536);
    for (let position = offset; position < end; position += chunk.length) {
      const read = readSync(file, chunk, 0, chunk.length, position);
      const newline = chunk.subarray(0, read).indexOf(NEWLINE);
      if (newline >= 0) return Math.min(end, position + newline + 1);
      if (read === 0) break;
    }
    return end;
  } finally {
    closeSync(file);
  }
}
