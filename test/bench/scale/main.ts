import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { createEngine, openPostgres } from '@svc-memory/core';
import { queryPostgres } from '@svc-memory/core/testing';
import { lengthOf, namesOf, postgresServer, readOptions, wholeNumber } from '../../kit/options.ts';
import { cleanUp, cleanUpWhenCutOff } from '../clean-up.ts';
import { endlessMemories, questionsOf } from '../corpus.ts';
import { median } from '../measure.ts';
import { createProgress, save } from '../report.ts';
import { createCaller, residentMemory } from '../service.ts';
import { shareOfExact } from './exact.ts';
import { plotGrowth, type ScaleFigure } from './growth.ts';
import { shareOfSame } from './isolation.ts';
import { inTurn, quantile, underLoad } from './load.ts';
import { startApi, startScript } from './processes.ts';
import { describeServer } from './server-settings.ts';
import { type Asked, answersAlone, fillStage, STAGES, type Stage } from './stage.ts';
import { temporaryDatabase } from './temporary-database.ts';
import { measureUsers, USERS } from './users.ts';
import { openWire } from './wire.ts';

const TOKEN = 'floor-token';
const CLIENTS = 16;
/** Calls until both processes' code is compiled. */
const WARM_UP = 300;
const BULK = 100;
const DEFAULT_EXACT_UP_TO = 10_000;
const HELP = `Measures recall and writes over REST on Postgres, beside a floor: bare Express, a bearer check, the same embedder, one
SQL statement. Both sides run in turn in one run; build first (npm run build).

  SVC_TEST_DATABASE_URL=postgres://... npm run bench:postgres -- [options]

  --stages LIST   of ${STAGES.map(({ name }) => name).join(',')}, and users: many users of one agent beside a tenant alone;
                  default 1k,100x1k,10k,100k
  --users N       users of the stage users (default ${USERS.users}), which take some ${Math.round((USERS.users * USERS.memories) / 1_000 / 60)} minutes to fill
  --keep NAME     works in a database of this name and leaves it: the next run need not fill its users again
  --seconds N     length of a round under load (default 3)
  --rounds N      rounds under load (default 3)
  --calls N       calls of each side in turn (default 300)
  --no-writes     leaves writes out
  --json FILE     also writes the numbers there
  --with FILE     numbers of an earlier run, of other stages, to draw and write too
  --plot FILE     also draws how times grow with the memories of a tenant, as SVG
`;

const { values, serverUrl, stages, users, effort, calls } = readOptions(
  {
    command: 'bench:postgres',
    help: HELP,
    options: {
      users: { type: 'string', default: String(USERS.users) },
      keep: { type: 'string' },
      stages: { type: 'string', default: '1k,100x1k,10k,100k' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '3' },
      calls: { type: 'string', default: '300' },
      'no-writes': { type: 'boolean', default: false },
      json: { type: 'string' },
      with: { type: 'string' },
      plot: { type: 'string' },
    },
  },
  (values) => ({
    values,
    stages: namesOf('stages', values.stages.split(','), [...STAGES.map(({ name }) => name), 'users']),
    users: wholeNumber('users', values.users),
    effort: {
      clients: CLIENTS,
      seconds: lengthOf('seconds', 'seconds', values.seconds),
      rounds: wholeNumber('rounds', values.rounds),
    },
    calls: wholeNumber('calls', values.calls),
    serverUrl: postgresServer(),
  }),
);
cleanUpWhenCutOff();
const progress = createProgress();
process.stdout.write(await describeServer(serverUrl));
const figures: ScaleFigure[] = values.with ? JSON.parse(await readFile(values.with, 'utf8')) : [];
let shown = figures.length;
const own = values.keep ? await keptDatabase(serverUrl, values.keep) : await temporaryDatabase(serverUrl);
const base = await temporaryDatabase(serverUrl);
const database = await openPostgres({ url: own.url });
const engine = createEngine({ database });
try {
  for (const name of stages) {
    if (name === 'users') {
      await measureManyUsers();
      continue;
    }
    const stage = STAGES.find((one) => one.name === name);
    if (!stage) throw new Error(`there is no stage ${name}`);
    const floor = {
      url: base.url,
      table: `floor_${stage.name}`,
      ...(stage.search ? { search: stage.search } : {}),
    };
    const asked = await fillStage(stage, { url: own.url, database, engine }, floor, progress);
    await queryPostgres(own.url, 'VACUUM ANALYZE');
    await queryPostgres(own.url, 'CHECKPOINT');
    await measure(stage, asked, floor);
  }
} finally {
  await engine.close();
  await cleanUp();
}
if (values.json) await save(values.json, `${JSON.stringify(figures, undefined, 2)}\n`);
if (values.plot) await save(values.plot, plotGrowth(figures));

async function measure(stage: Stage, asked: Asked, floor: { url: string; table: string; search?: string }) {
  const wire = await openWire(own.url);
  const service = await startApi(own.url, asked.apiKey);
  const watched = await startApi(wire.url, asked.apiKey);
  const bare = await startScript(new URL('floor-server.ts', import.meta.url), {
    FLOOR_URL: floor.url,
    FLOOR_TABLE: floor.table,
    FLOOR_TOKEN: TOKEN,
    FLOOR_EF: floor.search ?? '',
  });
  const oursAt = createCaller(`${service.url}/api/v1`, asked.apiKey, CLIENTS);
  const floorAt = createCaller(bare.url, TOKEN, CLIENTS);
  const questions = questionsOf(500);
  // Never the same twice: what is said again makes no second memory.
  const unsaid = endlessMemories(99);
  const content = () => unsaid.next().value.content;
  const at = (list: readonly string[], call: number) => list[call % list.length] ?? '';
  const recalls = {
    ours: (call: number) =>
      oursAt.call('POST', '/memories/recall', { query: at(questions, call), threshold: 0 }),
    floor: (call: number) =>
      floorAt.call('POST', '/memories/recall', { query: at(questions, call), user: asked.user }),
  };
  const writes = {
    ours: () => oursAt.call('POST', '/memories', { type: 'semantic', content: content() }),
    floor: () => floorAt.call('POST', '/memories', { user: asked.user, content: content() }),
  };
  const note = (what: string, ours: number, floorValue?: number, goal?: string) => {
    figures.push({
      stage: stage.name,
      memories: stage.tenants === 1 ? stage.memories : 0,
      what,
      ours,
      ...(floorValue === undefined ? {} : { floor: floorValue }),
      ...(goal ? { goal } : {}),
    });
  };
  progress(`${stage.name}: recall`);
  const alone = await inTurn(recalls, calls, { warmUp: WARM_UP });
  const far = stage.search === 'exact';
  const beyond = stage.memories > 100_000;
  const goal = far ? '<= 0.25x' : '<= 1.5x';
  note('recall p50, ms', median(alone.ours), median(alone.floor), beyond ? undefined : goal);
  note('recall p95, ms', quantile(alone.ours, 0.95), quantile(alone.floor, 0.95));
  const load = await underLoad(recalls, effort);
  note(`recalls/s, ${CLIENTS} clients`, load.ours.perSecond, load.floor.perSecond, '>= 0.6x');
  note(`recall p99, ${CLIENTS} clients, ms`, load.ours.p99, load.floor.p99, '<= 2x');
  note('process, MiB', await residentMemory(service.pid), await residentMemory(bare.pid), '<= 200');
  wire.take();
  const watch = async (what: string, goal: string | undefined, call: (place: number) => Promise<unknown>) => {
    // A tenant that asks often is loaded meanwhile.
    for (let place = 0; place < WARM_UP; place += 1) await call(place);
    wire.take();
    for (let place = 0; place < 50; place += 1) await call(place);
    note(what, wire.take() / 50, undefined, goal);
  };
  await watch('SQL round trips of a recall', '<= 2', (place) =>
    watched.call('POST', '/api/v1/memories/recall', { query: at(questions, place), threshold: 0 }),
  );
  if (asked.alone) {
    const now = await answersAlone(stage, database, asked.tenantId);
    note('answers the same as alone', shareOfSame(asked.alone, now), 1, '>= 1x');
  }
  if (!values['no-writes']) {
    progress(`${stage.name}: write`);
    await watch('SQL round trips of a write', undefined, () =>
      watched.call('POST', '/api/v1/memories', { type: 'semantic', content: content() }),
    );
    const one = await inTurn(writes, calls);
    note('write p50, ms', median(one.ours), median(one.floor), '<= 1.43x');
    const many = await underLoad(writes, effort);
    note(`writes/s, ${CLIENTS} clients`, many.ours.perSecond, many.floor.perSecond, '>= 0.7x');
    note(`write p99, ${CLIENTS} clients, ms`, many.ours.p99, many.floor.p99, '<= 2x');
    const bulk = await inTurn(
      {
        ours: () =>
          oursAt.call('POST', '/memories/batch', {
            memories: Array.from({ length: BULK }, () => ({
              type: 'semantic',
              content: content(),
            })),
          }),
      },
      10,
      { warmUp: 2 },
    );
    note(`write in bulk of ${BULK}, ms a memory`, median(bulk.ours) / BULK, median(one.ours));
    note(
      'process after writes, MiB',
      await residentMemory(service.pid),
      await residentMemory(bare.pid),
      '<= 200',
    );
  }
  if (stage.memories > DEFAULT_EXACT_UP_TO) {
    progress(`${stage.name}: compared with every vector`);
    const some = questions.slice(0, stage.memories > 100_000 ? 20 : 50);
    const { same, asSimilar } = await shareOfExact(engine, asked.tenantId, some);
    note('of the exact top 10', same, 1, '>= 0.95x');
    note('as similar as these', asSimilar, 1);
  }
  note('load average', loadavg()[0] ?? 0);
  oursAt.close();
  floorAt.close();
  await service.stop();
  await watched.stop();
  wire.close();
  bare.stop();
  print();
}

async function measureManyUsers(): Promise<void> {
  const place = { url: own.url, database, engine };
  await measureUsers(place, { ...effort, calls, users }, progress, (what, ours, alone, goal) =>
    figures.push({
      stage: 'users',
      memories: 0,
      what,
      ours,
      ...(alone === undefined ? {} : { floor: alone }),
      ...(goal ? { goal } : {}),
    }),
  );
  figures.push({ stage: 'users', memories: 0, what: 'load average', ours: loadavg()[0] ?? 0 });
  print();
}

/** A database that outlives the run. */
async function keptDatabase(url: string, name: string) {
  const [there] = await queryPostgres(url, `SELECT FROM pg_database WHERE datname = '${name}'`);
  if (!there) await queryPostgres(url, `CREATE DATABASE "${name}"`);
  const kept = new URL(url);
  kept.pathname = `/${name}`;
  return { url: kept.href, drop: async () => {} };
}

function print() {
  const rows = figures
    .slice(shown)
    .map(({ stage, what, ours, floor, goal }) =>
      [
        stage.padEnd(7),
        what.padEnd(46),
        digits(ours).padStart(8),
        (floor === undefined ? '' : digits(floor)).padStart(8),
        (floor === undefined ? '' : `${(ours / floor).toFixed(2)}x`).padStart(7),
        goal ?? '',
      ].join('  '),
    );
  shown = figures.length;
  process.stdout.write(rows.map((row) => `${row}\n`).join(''));
}

function digits(value: number): string {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
