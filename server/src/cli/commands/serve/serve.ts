import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { createEngine, createSecretBox, type Engine } from '@svc-memory/core';
import { loadTokenizer, readModelInUse } from '@svc-memory/core/server';
import type { Logger } from 'pino';
import { z } from 'zod';
import { accountSettings, mailerOf } from '../../../accounts/configure.ts';
import { createLocalSignIn, type LinkOptions, type LocalSignIn } from '../../../accounts/local-owner.ts';
import { createApp } from '../../../app/app.ts';
import { startServer } from '../../../app/listen.ts';
import { DEFAULT_SERVER_SETTINGS, type ServerSettings } from '../../../app/settings.ts';
import { createWorkerApp } from '../../../app/worker-app.ts';
import { createClientMetadataReader } from '../../../authorization/client-metadata.ts';
import { BackupFolder } from '../../../backups/backup-folder.ts';
import { startDailyBackups } from '../../../backups/daily-backups.ts';
import { OwnerBackups } from '../../../backups/owner-backups.ts';
import { type Config, loadConfig, maskUrl, unknownVariables } from '../../../config/config.ts';
import { chooseEmbedding, engineOptionsOf } from '../../../config/models.ts';
import { checkRole, ROLES, type Role } from '../../../config/role.ts';
import { SECRET_FIX, serviceSecret } from '../../../config/service-secret.ts';
import { engineActions } from '../../../control/actions/index.ts';
import { openControlDoor } from '../../../control/control-door.ts';
import { findDashboard } from '../../../dashboard/assets.ts';
import { createImportSources } from '../../../import/sources.ts';
import { createLogDestination } from '../../../logs/destination.ts';
import { createLogger } from '../../../logs/logger.ts';
import { loadBoard } from '../../../operator/load-board.ts';
import { type Coordination, startCoordination } from '../../../redis/coordination.ts';
import { checkConfig } from '../../access/check-config.ts';
import { openDatabase } from '../../access/database.ts';
import { isOpenToAll } from '../../access/open-folder.ts';
import { type CommandContext, defineCommand, option } from '../../console/command.ts';
import { packageVersion } from '../../console/package-version.ts';
import { settingsHelp } from '../../console/settings-help.ts';
import { listenForStop } from '../../console/stop-signal.ts';
import { backUpTo } from '../backup.ts';
import { ensureLocalAccess, userName } from './local-access.ts';
import { startupNotice } from './startup-notice.ts';

/** Milliseconds from when the service is ready until the tokenizer is loaded, which the first boot would otherwise wait for. */
const TOKENIZER_AFTER_MS = 1_000;

export default defineCommand({
  name: 'serve',
  description: 'Start the service',
  options: [
    option(
      '--role <role>',
      'api answers calls, worker does the background work and answers /health, /ready and /metrics, all does both; several of each may run on one Postgres',
    )
      .choices(ROLES)
      .default('all'),
  ],
  helpText: settingsHelp,
  examples: [
    'npx svc-memory serve',
    'SVC_PORT=8080 SVC_DATA_DIR=/var/lib/svc npx svc-memory serve',
    'SVC_DATABASE_URL=postgres://… SVC_REDIS_URL=redis://… SVC_SECRET=… npx svc-memory serve --role worker',
  ],
  run: (context, { role }: { role: Role }) => runService(context, role),
});

/** Runs the service until it is told to stop; answers the exit code. */
async function runService({ env, terminal }: CommandContext, role: Role): Promise<void> {
  const config = loadConfig(env);
  checkConfig(config);
  checkRole(role, config);
  for (const line of unknownVariables(env)) terminal.err(`svc: ${line}`);
  const stop = listenForStop({
    source: process,
    now: () => performance.now(),
    exit: (code) => process.exit(code),
  });
  try {
    return await serveUntil(stop.stopped, { config, role, terminal });
  } finally {
    stop.off();
  }
}

async function serveUntil(
  stopped: Promise<string>,
  { config, role, terminal }: { config: Config; role: Role; terminal: CommandContext['terminal'] },
): Promise<void> {
  const logger = createLogger({ level: config.logLevel }, createLogDestination());
  const accounts = accountSettings(config);
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'pg'))) {
    terminal.err(`svc: Making a database in ${config.dataDir}.`);
  }
  const { engine, secret } = await openEngine(config, logger);
  const { background } = engine;
  const coordination = await startCoordination({ url: config.redisUrl, role, background, logger });
  try {
    const settings = { ...(await serverSettings(config)), ...accounts, secret };
    const parts = { engine, config, settings, logger, coordination, print: terminal.out };
    const service = role === 'worker' ? workerService(parts) : await apiService(parts);
    const server = await startServer({ app: service.app, host: config.host, port: config.port });
    service.listensAt(server.url);
    let stopBackups = async () => {};
    let closeDoor = async () => {};
    try {
      const { localSignIn } = service;
      const newLink =
        localSignIn &&
        ((options: LinkOptions = {}) => {
          const url = (options.anywhere && config.publicUrl) || server.url;
          return `${url}${localSignIn.links.newLink(options)}`;
        });
      const notice = await greet(engine, config, { url: server.url, role, signInUrl: newLink?.() });
      closeDoor = await controlDoor(engine, config, newLink);
      terminal.out(notice);
      await localSignIn?.owner();
      // After all that a start waits for.
      coordination.startWork();
      service.isReady();
      stopBackups = dailyBackups(engine, config, logger);
      const signal = await stopped;
      logger.info({ signal }, 'stopping: calls in progress end first; a second signal stops at once');
    } finally {
      service.close();
      await server.close();
      await stopBackups();
      await service.backups?.close();
      await closeDoor();
    }
  } finally {
    await coordination.close();
    await engine.close();
  }
}

async function openEngine(config: Config, logger: Logger): Promise<{ engine: Engine; secret: string }> {
  const database = await openDatabase(config, logger);
  const closing = async (error: unknown) => {
    await database.close();
    throw error;
  };
  if (config.databaseUrl === undefined && !config.embeddedSync) {
    logger.warn({}, 'SVC_EMBEDDED_SYNC is off: a power cut loses memories that were acknowledged before it');
  }
  if (config.databaseUrl === undefined && (await isOpenToAll(config.dataDir))) {
    logger.warn({}, `any user of this machine may replace what is in ${config.dataDir}: chmod 700 it`);
  }
  if (config.databaseUrl !== undefined && config.secret === undefined) {
    logger.warn({}, `SVC_SECRET is not set, so each data folder has its own. ${SECRET_FIX}`);
  }
  const secret = await serviceSecret(config).catch(closing);
  const embedding = await chooseEmbedding(config, () => readModelInUse(database)).catch(closing);
  const { embedder, embedderFor } = embedding;
  const choice = await embedding.explain?.();
  if (choice) logger[choice.isAvailable ? 'info' : 'warn']({}, `the embedder is ${choice.message}`);
  const engine = createEngine({
    database,
    logger,
    embedder,
    embedderFor,
    ...engineOptionsOf(config),
    webhooks: { secrets: createSecretBox(secret), allowPrivate: config.allowPrivateWebhooks },
    clientMetadata: createClientMetadataReader(),
    importSources: createImportSources({ allowPrivate: config.allowPrivateImports }),
  });
  return { engine, secret };
}

interface ServiceParts {
  readonly engine: Engine;
  readonly config: Config;
  readonly settings: ServerSettings;
  readonly logger: Logger;
  readonly coordination: Coordination;
  /** Shows mail where there is no mail server. */
  readonly print: (text: string) => void;
}

/** What one role answers with. */
interface Service {
  readonly app: RequestListener;
  readonly localSignIn?: { readonly links: LocalSignIn; owner(): Promise<string> } | undefined;
  readonly backups?: OwnerBackups | undefined;
  /** Tells the app its address, once it is known. */
  listensAt(url: string): void;
  /** Begins what may wait until the service is ready. */
  isReady(): void;
  /** Ends what would keep the server from closing. */
  close(): void;
}

function workerService({ engine, settings, logger }: ServiceParts): Service {
  return {
    app: createWorkerApp({ engine, settings, logger }),
    listensAt: () => {},
    isReady: () => {},
    close: () => {},
  };
}

async function apiService(parts: ServiceParts): Promise<Service> {
  const { engine, config, settings, logger, coordination, print } = parts;
  const owner = () => engine.accounts.ensureLocalOwner(userName() ?? 'Owner');
  const links = config.databaseUrl === undefined ? createLocalSignIn(owner) : undefined;
  const stopping = new AbortController();
  const backups = ownerBackups(engine, config, logger);
  let url = '';
  let loading: NodeJS.Timeout | undefined;
  const app = createApp({
    engine,
    stopping: stopping.signal,
    settings,
    logger,
    serviceUrl: () => url,
    dashboard: findDashboard(),
    mailer: mailerOf(config, print),
    localSignIn: links,
    backups,
    operatorPages: await operatorPagesOf(config, coordination),
    createLimiter: coordination.createLimiter,
  });
  return {
    app,
    localSignIn: links && { links, owner },
    backups,
    listensAt: (address) => {
      url = address;
    },
    isReady: () => {
      loading = setTimeout(loadTokenizer, TOKENIZER_AFTER_MS);
    },
    close: () => {
      clearTimeout(loading);
      stopping.abort();
    },
  };
}

const linkSchema = z.object({ anywhere: z.boolean().optional() });
const backupSchema = z.object({ file: z.string().optional() });

/** The door for commands beside a service that has the data folder to itself. */
async function controlDoor(
  engine: Engine,
  config: Config,
  newLink: ((options: LinkOptions) => string) | undefined,
): Promise<() => Promise<void>> {
  if (config.databaseUrl !== undefined) return async () => {};
  return openControlDoor(config.dataDir, {
    ...engineActions(engine),
    ...(newLink && { link: async (input) => ({ url: newLink(linkSchema.parse(input)) }) }),
    backup: async (input) => ({
      file: await backUpTo(config, engine.database, backupSchema.parse(input).file),
    }),
  });
}

function ownerBackups({ database }: Engine, { dataDir, backupsKeep }: Config, logger: Logger) {
  if (!database.backUp) return undefined;
  return new OwnerBackups(new BackupFolder(dataDir, backupsKeep), database.backUp, logger);
}

function dailyBackups({ database }: Engine, { dataDir, backupsKeep }: Config, logger: Logger) {
  if (backupsKeep === 0 || !database.backUp) return async () => {};
  const folder = new BackupFolder(dataDir, backupsKeep);
  return startDailyBackups({ dataDir, folder, database, logger });
}

/** What the operator sees in a browser: the queue, where there is a Redis and a token to open it with. */
async function operatorPagesOf({ operatorToken, publicUrl }: Config, { queue }: Coordination) {
  if (operatorToken === undefined || queue === undefined) return undefined;
  const { createBoard } = await loadBoard();
  return createBoard({ queue, token: operatorToken, publicUrl });
}

interface Greeted {
  readonly url: string;
  readonly role: Role;
  readonly signInUrl: string | undefined;
}

async function greet(engine: Engine, config: Config, { url, role, signInUrl }: Greeted): Promise<string> {
  const { publicUrl } = config;
  if (config.databaseUrl !== undefined) {
    const data = `Postgres, ${maskUrl(config.databaseUrl)}`;
    const noTenant = role !== 'worker' && (await engine.tenants.list()).length === 0;
    return startupNotice({ url, role, data, access: { outcome: 'kept' }, noTenant, publicUrl });
  }
  const { dataDir: data } = config;
  const access = await ensureLocalAccess(engine, config, url);
  return startupNotice({ url, role, data, access, noTenant: false, publicUrl, signInUrl });
}

async function serverSettings(config: Config): Promise<ServerSettings> {
  const { host, rateLimitPerMinute, trustedProxies, publicUrl, metricsToken } = config;
  const set = { host, rateLimitPerMinute, trustedProxies, publicUrl, metricsToken };
  return { ...DEFAULT_SERVER_SETTINGS, version: await packageVersion(), ...set };
}
