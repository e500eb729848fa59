import { resolve } from 'node:path';
import { createEngine, openAiEmbedder, openPostgres } from '@svc-memory/core';
import { queryPostgres } from '@svc-memory/core/testing';
import { lengthOf, namesOf, postgresServer, readOptions, wholeNumber } from '../../kit/options.ts';
import { cleanUp, cleanUpWhenCutOff } from '../clean-up.ts';
import { memoriesOf, questionsOf } from '../corpus.ts';
import { median } from '../measure.ts';
import { createProgress } from '../report.ts';
import { createCaller } from '../service.ts';
import { inTurn, quantile, underLoad } from './load.ts';
import { openPeer, PEER_NAMES, type Peer, type ServedModel, titleOf } from './peers.ts';
import { startApi, startScript } from './processes.ts';
import { describeServer } from './server-settings.ts';
import { temporaryDatabase } from './temporary-database.ts';

const CLIENTS = 16;
const BATCH = 500;
const IN_FLIGHT = 16;
/** So many that no vector is still kept of the last time a question was asked. */
const QUESTIONS = 5_000;
const HELP = `Measures recall beside libraries that people would pick instead, on one Postgres with the same texts and the same
embedding model, which all ask over HTTP: the service over REST, the libraries inside the measuring process. All memories
belong to one user. Build first.

  SVC_TEST_DATABASE_URL=postgres://... npm run bench:peers -- [options]

  --peers LIST      of ${PEER_NAMES.join(',')}; default all
  --memories N      how many each holds (default 10000)
  --dimensions N    numbers in a vector (default 384, as small sentence models have)
  --calls N         recalls of each in turn (default 200)
  --warm-up N       recalls of each before those, for at most 20 s in all (default as many as --calls)
  --turn N          calls of each in a row (default 20): what one scans drives the others' data out of the processor's caches
  --seconds N       length of a round under load (default 3)
  --folder DIR      where the peers are installed from the npm registry (default .artifacts/peers)
`;

const { values, serverUrl, asked, memories, dimensions, calls, warmUp, turn, length } = readOptions(
  {
    command: 'bench:peers',
    help: HELP,
    options: {
      peers: { type: 'string', default: PEER_NAMES.join(',') },
      memories: { type: 'string', default: '10000' },
      dimensions: { type: 'string', default: '384' },
      calls: { type: 'string', default: '200' },
      'warm-up': { type: 'string' },
      turn: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '3' },
      folder: { type: 'string', default: '.artifacts/peers' },
    },
  },
  (values) => ({
    values,
    asked: namesOf('peers', values.peers.split(','), PEER_NAMES),
    memories: wholeNumber('memories', values.memories),
    dimensions: wholeNumber('dimensions', values.dimensions),
    calls: wholeNumber('calls', values.calls),
    warmUp: wholeNumber('warm-up', values['warm-up'] ?? values.calls, 0),
    turn: wholeNumber('turn', values.turn),
    length: lengthOf('seconds', 'seconds', values.seconds),
    serverUrl: postgresServer(),
  }),
);
cleanUpWhenCutOff();
const progress = createProgress();
process.stdout.write(await describeServer(serverUrl));
const texts = memoriesOf(memories, 7);
const questions = questionsOf(QUESTIONS);
const question = (call: number) => questions[call % questions.length] ?? '';
const server = await startScript(new URL('model-server.ts', import.meta.url), {
  MODEL_DIMENSIONS: String(dimensions),
});
const model: ServedModel = {
  url: `${server.url}/v1`,
  name: 'bench',
  apiKey: 'bench',
  dimensions,
};
const own = await temporaryDatabase(serverUrl);
const bases = await Promise.all(asked.map(() => temporaryDatabase(serverUrl)));
const apiKey = await fillOwn();
const peers: Peer[] = [];
for (const [place, name] of asked.entries()) {
  const url = bases[place]?.url ?? '';
  const peer = await openPeer(name, { folder: resolve(values.folder), databaseUrl: url, model, progress });
  peers.push(peer);
  await fillPeer(peer);
}
for (const { url } of [own, ...bases]) await queryPostgres(url, 'VACUUM ANALYZE');

progress('recall: one call at a time');
const service = await startApi(own.url, apiKey, {
  SVC_EMBEDDER: `openai:${model.name}`,
  SVC_EMBEDDER_URL: model.url,
});
const ours = createCaller(`${service.url}/api/v1`, apiKey, CLIENTS);
const sides: Record<string, (call: number) => Promise<unknown>> = {
  ours: (call) => ours.call('POST', '/memories/recall', { query: question(call), threshold: 0 }),
  ...Object.fromEntries(peers.map((peer) => [peer.name, (call: number) => peer.recall(question(call))])),
};
const alone = await inTurn(sides, calls, { warmUp, turn });
progress(`recall: ${CLIENTS} clients`);
const loaded = await underLoad(sides, { clients: CLIENTS, seconds: length, rounds: 3 });
for (const name of Object.keys(sides)) print(name);

ours.close();
await service.stop();
for (const peer of peers) await peer.close();
await cleanUp();
process.exit();

/** Stores the texts in the service; answers a key to ask with. */
async function fillOwn(): Promise<string> {
  const engine = createEngine({
    database: await openPostgres({ url: own.url }),
    embedder: openAiEmbedder({ url: model.url, model: model.name }),
  });
  const { id } = await engine.tenants.create({ displayName: 'Compared', plan: 'local' });
  for (let done = 0; done < texts.length; done += BATCH) {
    progress(`ours: ${done} of ${texts.length} memories`);
    await engine.agent(id).rememberBatch({ memories: texts.slice(done, done + BATCH) });
  }
  const { secret } = await engine.apiKeys.create(id, { name: 'benchmark', scope: 'full' });
  await engine.close();
  return secret;
}

async function fillPeer(peer: Peer): Promise<void> {
  for (let done = 0; done < texts.length; done += IN_FLIGHT) {
    if (done % (100 * IN_FLIGHT) === 0) {
      progress(`${titleOf(peer.name)}: ${done} of ${texts.length} memories`);
    }
    await Promise.all(texts.slice(done, done + IN_FLIGHT).map(({ content }) => peer.add(content)));
  }
}

function print(name: string): void {
  const peer = asked.find((one) => one === name);
  const [samples = [], mine = []] = [alone[name], alone.ours];
  const cells = [
    (peer ? titleOf(peer) : 'Agent Memory Service').padEnd(24),
    `p50 ${median(samples).toFixed(2)} ms`.padEnd(16),
    `p95 ${quantile(samples, 0.95).toFixed(2)} ms`.padEnd(16),
    `${(loaded[name]?.perSecond ?? 0).toFixed(0)}/s at ${CLIENTS} clients`.padEnd(24),
    peer ? `ours ${(median(mine) / median(samples)).toFixed(2)}x its p50` : '',
  ];
  process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
}
