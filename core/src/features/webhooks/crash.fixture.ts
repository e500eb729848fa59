// Stores a memory that an endpoint is to hear of, says so, and waits to be killed.

import { createEngine } from '../../app/engine.ts';
import { openPglite } from '../../kernel/database/open-database.ts';
import { createSecretBox } from './secret-box.ts';

const [, , folder, url = ''] = process.argv;
const webhooks = { secrets: createSecretBox('secret of the test'), allowPrivate: true };
const engine = createEngine({ database: await openPglite(folder), webhooks });
const { id } = await engine.tenants.create({ displayName: 'Test agent', plan: 'local' });
await engine
  .agent(id, { source: 'human', credentialId: null })
  .createEventEndpoint({ url, events: ['memory.stored'] });
await engine.agent(id).remember({ type: 'working', content: 'tea is in the blue tin' });
process.stdout.write('stored\n');
setInterval(() => {}, 1_000);
