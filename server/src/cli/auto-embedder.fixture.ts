import { join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';
import { startOpenAiServer } from '../../../core/src/features/embedding/remote/openai-server.fixture.ts';
import { svc, useFolder } from './cli.fixture.ts';

/** A server of models, which before each test serves one for embedding, and the settings of stores that find it by themselves. */
export async function useServedModel() {
  const folder = useFolder();
  const server = await startOpenAiServer();
  afterAll(() => server.close());
  beforeEach(() => {
    server.models = ['nomic-embed-text:latest'];
    server.behave('works');
  });
  const envOf = (name: string) => ({ SVC_DATA_DIR: join(folder.path, name), SVC_PORT: '0' });
  const auto = (name: string) => ({ ...envOf(name), SVC_EMBEDDER: 'auto', SVC_EMBEDDER_URL: server.url });
  const doctor = async (name: string) => (await svc('doctor', auto(name))).out;
  return { folder, server, envOf, auto, doctor };
}
