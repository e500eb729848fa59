import { EMPTY_LOG } from '@svc-memory/core/server';
import { vacuum } from '../../control/actions/vacuum.ts';
import { operate } from '../access/operate.ts';
import { defineCommand } from '../console/command.ts';

export default defineCommand({
  name: 'vacuum',
  description:
    'Write the database’s files anew, so that nothing of forgotten users and deleted memories is left in them; calls wait meanwhile',
  examples: ['npx svc-memory vacuum'],
  run: async (context) => {
    const { terminal } = context;
    const { logEmptied } = await operate(context, ({ perform }) => perform(vacuum, {}));
    terminal.out('What was deleted is in the tables, indexes and statistics no more.');
    if (!logEmptied) {
      terminal.out(
        'The write-ahead log may hold it still. To empty it, run as administrator of Postgres, in psql:',
      );
      for (const statement of EMPTY_LOG) terminal.out(`${statement};`);
    }
    terminal.out('Backups made before hold it until they are replaced.');
  },
});
