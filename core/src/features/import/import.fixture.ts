import type { Actor } from '../../kernel/context/call.ts';
import type { TestEngine } from '../../testing/index.ts';
import type { Job } from '../jobs/contract.ts';
import type { FormatName } from './contract.ts';
import type { IncomingFile } from './spool.ts';

/** Files by path, as they come in. */
export async function* incoming(
  files: Readonly<Record<string, string | Uint8Array>>,
): AsyncGenerator<IncomingFile> {
  for (const [path, content] of Object.entries(files)) {
    const bytes = (async function* () {
      yield typeof content === 'string' ? Buffer.from(content) : content;
    })();
    yield { path, bytes };
  }
}

/** Imports files from beginning to end and answers the finished job. */
export async function importAll(
  kit: TestEngine,
  tenantId: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  { actor, format, userId }: { actor?: Actor; format?: FormatName; userId?: string } = {},
): Promise<Job> {
  const { job } = await kit.engine.streams(tenantId, actor).import(incoming(files), { format, userId });
  if (!job) throw new TypeError('no job was started');
  await kit.engine.background.run('jobs.work');
  const place = userId === undefined ? {} : { user_id: userId };
  return (await kit.engine.agent(tenantId).job({ id: job.id, ...place })).job;
}

/** What a stream writes, whole. */
export async function textOf(stream: AsyncIterable<string>): Promise<string> {
  const parts: string[] = [];
  for await (const part of stream) parts.push(part);
  return parts.join('');
}
