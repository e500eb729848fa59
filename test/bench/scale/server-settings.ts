import { queryPostgres } from '@svc-memory/core/testing';

const SETTINGS = ['fsync', 'synchronous_commit', 'shared_buffers', 'maintenance_work_mem'];

/** A Postgres server's version and what its figures depend on, with a warning where they flatter. */
export async function describeServer(url: string): Promise<string> {
  const columns = ['server_version', ...SETTINGS].map((name) => `current_setting('${name}') AS ${name}`);
  const [settings = {}] = await queryPostgres(url, `SELECT ${columns.join(', ')}`);
  const told = SETTINGS.map((name) => `${name} ${settings[name]}`);
  const safe = settings.fsync === 'on' && settings.synchronous_commit === 'on';
  return [
    `PostgreSQL ${settings.server_version}, ${told.join(', ')}\n`,
    safe
      ? ''
      : 'Commits do not wait for the disk here: writes, and the counting of recalls, look faster than they are.\n',
  ].join('');
}
