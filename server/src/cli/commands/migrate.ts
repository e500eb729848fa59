import { loadConfig, maskUrl } from '../../config/config.ts';
import { openDatabase } from '../access/database.ts';
import { defineCommand } from '../console/command.ts';

export default defineCommand({
  name: 'migrate',
  description: 'Bring the database up to date, as every start of the service does',
  run: async ({ env, terminal }) => {
    const config = loadConfig(env);
    const database = await openDatabase(config);
    await database.close();
    terminal.out(
      `The database is up to date: ${config.databaseUrl ? maskUrl(config.databaseUrl) : config.dataDir}`,
    );
  },
});
