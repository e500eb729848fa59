import type { ImportEntry } from '../draft.ts';
import { type JsonRecord, readJson, readJsonLines } from '../read/json.ts';
import type { Sample } from '../read/sample.ts';
import type { SourceFile } from '../read/source-file.ts';

/** Where a field of the source goes. */
export interface FieldMapping {
  readonly from: string;
  readonly to: string;
}

/** A way memories are written elsewhere. A new one is a file here and a line in `all.ts`. */
export interface Format<Name extends string = string> {
  readonly name: Name;
  readonly title: string;
  readonly fields: readonly FieldMapping[];
  /** Whether a file is of this format, by its name and its beginning. */
  detects(file: SourceFile, sample: Sample): boolean;
  /** Reads a file from its beginning; every time the same entries in the same order. */
  read(file: SourceFile, sample: Sample): AsyncIterable<ImportEntry>;
}

/** A format of JSON or JSON Lines whose records stand in lists. */
interface RecordFormat<Name extends string> extends Omit<Format<Name>, 'detects' | 'read'> {
  /** Places whose presence tells the format: all of one of these groups. */
  readonly marks: readonly (readonly string[])[];
  /** Paths of the records in a JSON file, such as `$.memories.*`. */
  readonly records: readonly string[];
  toEntries(record: JsonRecord, file: SourceFile): Iterable<ImportEntry>;
}

/** Makes a format of records: JSON by its paths, and JSON Lines with one record a line. */
export function recordFormat<const Name extends string>(definition: RecordFormat<Name>): Format<Name> {
  const { marks, records, toEntries, ...rest } = definition;
  return {
    ...rest,
    detects: (_file, { kind, paths }) =>
      (kind === 'json' || kind === 'jsonl') && marks.some((group) => group.every((mark) => paths.has(mark))),
    async *read(file, { kind, paths }) {
      const isList = paths.has('$[]');
      const wanted = records.filter((path) => path.startsWith('$.*') === isList);
      const found =
        kind === 'jsonl' ? readJsonLines(file) : readJson(file, wanted.length > 0 ? wanted : records);
      for await (const record of found) yield* toEntries(record, file);
    },
  };
}
