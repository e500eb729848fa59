import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { LONG } from './full/long.ts';
import { ON_POSTGRES, POOLED } from './full/on-postgres.ts';
import { startPgBouncer } from './full/pgbouncer.ts';
import { type Environment, findMissing, type Need } from './full/requirements.ts';
import { namesOf, readOptions } from './kit/options.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RESULTS = '.artifacts/test';

const HELP = `Runs every test there is: what npm test runs, what asks a database on a real Postgres, and the heavier tests.

  npm run test:full -- [options]

  --only NAME       only this part; may be repeated
  --allow-missing   skip what this machine lacks, instead of failing
  --help            this text
`;

/** A run of vitest. */
interface Part {
  readonly name: string;
  readonly description: string;
  readonly args: readonly string[];
  readonly env: Environment;
  readonly needs: readonly Need[];
  /** Runs behind a PgBouncer in transaction mode; without one, on Postgres itself. */
  readonly pooled?: true;
  /** Runs one after the other beside those before, some of which mostly wait; its output is shown at its end. */
  readonly beside?: true;
  /** Runs when nothing else does. */
  readonly alone?: true;
}

const FAULTS = 'test/full/faults.test.ts';
const EXCLUDE_LONG = LONG.flatMap((file) => ['--exclude', file]);

const PARTS: readonly Part[] = [
  {
    name: 'default',
    description: 'what npm test runs, on the embedded database',
    args: [],
    env: { SVC_TEST_DATABASE_URL: '' },
    needs: [],
  },
  {
    name: 'heavy',
    description:
      'several processes, outages, packages, rounds of kill -9, and the long form of tests that have one',
    args: ['--config', 'test/full/vitest.config.ts', '--exclude', FAULTS],
    env: { SVC_TEST_FULL: '1' },
    needs: ['postgres', 'pgbouncer', 'redis'],
  },
  {
    name: 'faults',
    description: 'the service broken in every known way',
    args: ['--config', 'test/full/vitest.config.ts', FAULTS],
    env: { SVC_TEST_FAULTS: 'untimed', SVC_TEST_CUTS: '8', SVC_TEST_UPGRADES: '2' },
    needs: ['postgres', 'redis'],
    beside: true,
  },
  {
    name: 'timed',
    description: 'the service broken in ways where what must hold depends on times',
    args: ['--config', 'test/full/vitest.config.ts', FAULTS],
    env: { SVC_TEST_FAULTS: 'timed' },
    needs: ['postgres', 'redis'],
    alone: true,
  },
  {
    name: 'postgres',
    description: 'what asks the database, on Postgres',
    args: [...ON_POSTGRES, ...EXCLUDE_LONG],
    env: {},
    needs: ['postgres'],
    beside: true,
  },
  {
    name: 'pooled',
    description: 'what a pooler can break, on Postgres behind PgBouncer in transaction mode',
    args: [...POOLED, ...EXCLUDE_LONG],
    env: {},
    needs: ['postgres', 'pgbouncer'],
    pooled: true,
    beside: true,
  },
  {
    name: 'dashboard',
    description:
      'the dashboard in a real browser; with SVC_TEST_PICTURES=1 pictures go to .artifacts/screens',
    args: ['--config', 'test/dashboard/vitest.config.ts'],
    env: { SVC_TEST_DATABASE_URL: '' },
    needs: ['chromium'],
    alone: true,
  },
];

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const NOTHING: Outcome = { passed: 0, failed: 0, skipped: 0 };

/** How a run of vitest ended. */
interface Run {
  readonly code: number;
  readonly outcome: Outcome;
  /** What it wrote, of one that runs beside others. */
  readonly output: string;
}

interface Report {
  readonly part: Part;
  readonly text: string;
  readonly code: number;
  readonly outcome: Outcome;
}

const asked = readOptions(
  {
    command: 'test:full',
    help: HELP,
    options: {
      only: { type: 'string', multiple: true },
      'allow-missing': { type: 'boolean', default: false },
    },
  },
  ({ only, 'allow-missing': allowMissing }) => {
    const known = PARTS.map(({ name }) => name);
    return { names: only ? namesOf('only', only, known) : known, allowMissing };
  },
);
process.exitCode = await run(asked.names, asked.allowMissing);

async function run(names: readonly string[], allowMissing: boolean): Promise<number> {
  const parts = PARTS.filter(({ name }) => names.includes(name));
  const needed = new Set(parts.flatMap(({ needs }) => needs));
  const missing = (await findMissing(process.env)).filter(({ need }) => needed.has(need));
  for (const { name, fix } of missing) show(`test:full: ${name} is missing. ${fix}\n`);
  if (missing.length > 0 && !allowMissing) {
    return show('test:full: provide what is missing, or skip its tests with --allow-missing.\n', 1);
  }
  const runOne = async (part: Part): Promise<Report> => {
    const lacking = missing.filter(({ need }) => part.needs.includes(need));
    const isPooled = part.pooled && lacking.length === 0;
    if (lacking.some(({ need }) => !part.pooled || need !== 'pgbouncer')) {
      const text = `skipped, missing: ${lacking.map(({ need }) => need).join(', ')}`;
      return { part, text, code: 0, outcome: NOTHING };
    }
    const title = `\n== ${part.name}: ${part.description}\n`;
    if (!part.beside) show(title);
    const began = Date.now();
    const { code, outcome, output } = await (isPooled ? behindPgBouncer(part) : runVitest(part));
    if (part.beside) show(`${title}${output}`);
    const seconds = Math.round((Date.now() - began) / 1_000);
    const text = `${describe(outcome)}${code === 0 ? '' : `, exit code ${code}`} (${seconds} s)`;
    return { part, text, code, outcome };
  };
  const runAll = async (lane: readonly Part[]) => {
    const reports: Report[] = [];
    for (const part of lane) reports.push(await runOne(part));
    return reports;
  };
  const together = parts.filter(({ alone }) => !alone);
  const lanes = [together.filter(({ beside }) => !beside), together.filter(({ beside }) => beside)];
  const reports = (await Promise.all(lanes.map(runAll))).flat();
  reports.push(...(await runAll(parts.filter(({ alone }) => alone))));
  const lines = reports.map(({ part, text }) => `${part.name.padEnd(10)} ${text}`);
  const total = {
    passed: sum(reports, ({ outcome }) => outcome.passed),
    // A run that ends badly without a failed test, as by an error outside any test, counts as one.
    failed: sum(reports, ({ code, outcome }) => outcome.failed || Number(code !== 0)),
    skipped: sum(reports, ({ outcome }) => outcome.skipped),
  };
  return show(`\n${lines.join('\n')}\n${describe(total)}\n`, reports.some(({ code }) => code !== 0) ? 1 : 0);
}

function sum(reports: readonly Report[], of: (report: Report) => number): number {
  return reports.reduce((total, report) => total + of(report), 0);
}

/** Runs a part with fewer server connections for each database than its pool has clients. */
async function behindPgBouncer(part: Part): Promise<Run> {
  const serverUrl = process.env.SVC_TEST_DATABASE_URL ?? '';
  const pgbouncer = await startPgBouncer(serverUrl, 3);
  try {
    return await runVitest({ ...part, env: { SVC_TEST_DATABASE_URL: pgbouncer.through(serverUrl) } });
  } finally {
    await pgbouncer.stop();
  }
}

async function runVitest({ name, args, env, beside }: Part): Promise<Run> {
  const file = `${RESULTS}/${name}.json`;
  await mkdir(`${ROOT}${RESULTS}`, { recursive: true });
  await rm(`${ROOT}${file}`, { force: true });
  const vitest = `${ROOT}node_modules/vitest/vitest.mjs`;
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...args],
    { cwd: ROOT, env: { ...process.env, ...env }, stdio: beside ? ['ignore', 'pipe', 'pipe'] : 'inherit' },
  );
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => written.push(text));
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
  return { code, outcome: await readOutcome(`${ROOT}${file}`), output: written.join('') };
}

async function readOutcome(file: string): Promise<Outcome> {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      await readFile(file, 'utf8'),
    );
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
  } catch {
    // Vitest ended before it could write: its exit code says so.
    return NOTHING;
  }
}

function describe({ passed, failed, skipped }: Outcome): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function show(text: string, code = 0): number {
  process.stdout.write(text);
  return code;
}
