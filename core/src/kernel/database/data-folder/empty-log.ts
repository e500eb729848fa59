/**
 * Goes on in another file of the write-ahead log as often as it has files. Those that wait for reuse hold what was logged in
 * them before: each is written over, and removed when the log has gone past it.
 */
export const GO_THROUGH_LOG = `DO $$ BEGIN
  FOR file IN 1..(SELECT count(*) FROM pg_ls_waldir()) LOOP CHECKPOINT; PERFORM pg_switch_wal(); END LOOP;
  CHECKPOINT;
END $$`;

/** What empties the write-ahead log of a Postgres of all that is deleted, by its administrator and one by one. */
export const EMPTY_LOG: readonly string[] = [
  'ALTER SYSTEM SET wal_recycle = off',
  'SELECT pg_reload_conf()',
  GO_THROUGH_LOG,
  'ALTER SYSTEM RESET wal_recycle',
  'SELECT pg_reload_conf()',
];
