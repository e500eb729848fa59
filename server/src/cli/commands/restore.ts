import { join } from 'node:path';
import { BACKUP_FOLDER, ERASURE_LOG, restoreBackup } from '@svc-memory/core/server';
import { type Config, loadConfig, maskUrl } from '../../config/config.ts';
import { explainUnwritable } from '../../control/cli-error.ts';
import { argument, defineCommand, option } from '../console/command.ts';
import { readFileName } from '../console/read-field.ts';
import { restoreToServer } from './restore-to-server.ts';

export default defineCommand({
  name: 'restore',
  description:
    'Bring a backup back into an empty data folder, or into the empty database of SVC_DATABASE_URL',
  arguments: [
    argument('<file>', 'Backup, as `npx svc-memory backup` or the service itself wrote it').argParser(
      readFileName('The file'),
    ),
  ],
  options: [option('--replace', 'Also where the folder holds data: it is moved aside, not deleted')],
  examples: [
    'SVC_DATA_DIR=restored npx svc-memory restore memories.zip',
    'npx svc-memory restore .svc/backups/….zip --replace',
    'SVC_DATABASE_URL=postgres://… npx svc-memory restore memories.zip',
  ],
  run: async ({ env, terminal }, file: string, { replace = false }: { replace?: boolean }) => {
    const config = loadConfig(env);
    const { databaseUrl, dataDir } = config;
    const isToServer = databaseUrl !== undefined;
    const { aside, made, erasuresSince } = isToServer
      ? await restoreToServer(file, config, { replace })
      : await restoreIntoFolder(file, config, { replace });
    const target = isToServer ? maskUrl(databaseUrl) : dataDir;
    terminal.out(`Restored into ${target}. Start the service as usual.`);
    if (aside !== undefined) terminal.out(`What was there is in ${aside}; delete it when you miss nothing.`);
    if (isToServer) terminal.out('Its API keys are valid there, too.');
    if (erasuresSince !== undefined && !isToServer) {
      const log = join(dataDir, BACKUP_FOLDER, ERASURE_LOG);
      terminal.out(
        `The next start erases again what was erased since this backup was made, as ${log} tells.`,
      );
    }
    if (erasuresSince === undefined || erasuresSince > made) {
      const when = erasuresSince === undefined ? `since ${made}` : `between ${made} and ${erasuresSince}`;
      terminal.out(
        `If users or spaces were erased ${when}, they are back, as no log tells of them: erase them again.`,
      );
    }
  },
});

function restoreIntoFolder(file: string, { dataDir }: Config, options: { readonly replace: boolean }) {
  return restoreBackup(file, dataDir, options).catch((error: unknown) => {
    const fix = 'What was there is kept. Mend that, or set SVC_DATA_DIR to another folder.';
    throw explainUnwritable(error, `Nothing was restored into ${dataDir}`, fix);
  });
}
