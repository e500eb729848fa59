const MIB = 1024 * 1024;

/** What an import may ask of the service; every limit holds while streaming, before anything is kept. */
export const IMPORT_LIMITS = {
  /** Bytes of all files of one import, as they are sent or fetched. */
  bytes: 256 * MIB,
  /** Files of one import, those in archives included. */
  files: 20_000,
  /** Bytes of all files of one import after decompression. */
  unpackedBytes: 1024 * MIB,
  /** Times a file in an archive may be larger than its compressed form; looked at above one MiB. */
  compression: 200,
  /** Bytes of one line, and of one record (such as a conversation) of a JSON file. */
  recordBytes: 32 * MIB,
  jsonDepth: 100,
  /** Fields of one object, and items of one list, within a record of a JSON file. */
  jsonMembers: 100_000,
  /** Characters of one document (Markdown or plain text). */
  documentCharacters: 32 * MIB,
  pathCharacters: 1_024,
} as const;
