import { type PGlite, types } from '@electric-sql/pglite';

/** The array types that the service's statements use, each with the type of its elements. PGlite has no names of arrays. */
const ARRAY_TYPES = [
  [199, types.JSON],
  [1000, types.BOOL],
  [1005, types.INT2],
  [1007, types.INT4],
  [1009, types.TEXT],
  [1015, types.VARCHAR],
  [1016, types.INT8],
  [1021, types.FLOAT4],
  [1022, types.FLOAT8],
  [2951, types.UUID],
  [3807, types.JSONB],
] as const;

/**
 * Gives PGlite the parsers and serializers of basic types and of arrays of them, and of nothing else. By itself it asks the
 * database for all array types at each start, some 300, and copies all their parsers for each result: that takes longer
 * than most statements.
 */
export function useBasicArrayTypes(client: PGlite): void {
  const { arrayParser, arraySerializer, parsers, serializers } = types;
  client.parsers = { ...parsers };
  client.serializers = { ...serializers };
  for (const [array, element] of ARRAY_TYPES) {
    client.parsers[array] = (text) => arrayParser(text, parsers[element] ?? String, array);
    client.serializers[array] = (list) => arraySerializer(list, serializers[element], array);
  }
}
