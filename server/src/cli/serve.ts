import { createEngine, createSecretBox, type Engine } from '@svc-memory/core';
import { destination } from 'pino';
import { accountSettings, mailerOf } from '../accounts/configure.ts';
import { createLocalSignIn, type LocalSignIn } from '../accounts/local-owner.ts';
import { createApp } from '../app.ts';
import { type Config, loadConfig, maskUrl, unknownVariables } from '../config.ts';
import { findDashboard } from '../dashboard/assets.ts';
import { embeddingOf } from '../embedding.ts';
import { createEventStream } from '../events/stream.ts';
import { createImportSources } from '../import/sources.ts';
import { languageModelOf } from '../language-model.ts';
import { startServer } from '../listen.ts';
import { createLogger } from '../logs/logger.ts';
import { type SharedWork, shareWork } from '../redis/share-work.ts';
import { checkRole, type Role } from '../role.ts';
import { serviceSecret } from '../service-secret.ts';
import { DEFAULT_SERVER_SETTINGS, type ServerSettings } from '../settings.ts';
import { createWorkerApp } from '../worker-app.ts';
import { EXIT } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { openDatabase } from './database.ts';
import { ensureLocalAccess, userName } from './local-access.ts';
import { packageVersion } from './package-version.ts';
import { startupNotice } from './startup-notice.ts';
import { listenForStop } from './stop-signal.ts';

/** Runs the service until it is told to stop; answers the exit code. */
export async function serve({ env, terminal }: CommandContext, role: Role): Promise<number> {
  const config = loadConfig(env);
  checkRole(role, config);
  for (const line of unknownVariables(env)) terminal.err(`svc: ${line}`);
  const stop = listenForStop({
    source: process,
    now: () => performance.now(),
    exit: (code) => process.exit(code),
  });
  // Logs go to stderr: stdout holds what is meant for people, the API key of the first start among it.
  const logger = createLogger({ level: config.logLevel }, destination(2));
  const accounts = accountSettings(config);
  const embedding = embeddingOf(config);
  const language = languageModelOf(config);
  const database = await openDatabase(config);
  const secret = await serviceSecret(config).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const engine = createEngine({
    database,
    logger,
    ...embedding,
    ...language,
    settings: {
      guardianCoolingMs: config.guardianCoolingMs,
      recallHeldBytes: config.recallHeldMiB * 1024 ** 2,
    },
    webhooks: { secrets: createSecretBox(secret), allowPrivate: config.allowPrivateWebhooks },
    importSources: createImportSources({ allowPrivate: config.allowPrivateImports }),
  });
  const work = await shareWork({ url: config.redisUrl, role, background: engine.background, logger });
  try {
    const owner = () => engine.accounts.ensureLocalOwner(userName() ?? 'Owner');
    const localSignIn = config.databaseUrl === undefined ? createLocalSignIn(owner) : undefined;
    const eventStream = role === 'worker' ? undefined : createEventStream({ engine, logger });
    const settings = { ...(await serverSettings(config)), ...accounts, secret };
    const mailer = mailerOf(config, terminal.out);
    const dashboard = findDashboard();
    const operatorPages = await operatorPagesOf(config, work);
    const app = eventStream
      ? createApp({
          engine,
          eventStream,
          settings,
          logger,
          serviceUrl: () => server.url,
          ...(dashboard && { dashboard }),
          ...(mailer && { mailer }),
          ...(localSignIn && { localSignIn }),
          ...(operatorPages && { operatorPages }),
          ...(work.createLimiter && { createLimiter: work.createLimiter }),
        })
      : createWorkerApp({ engine, settings, logger });
    const server = await startServer({ app, host: config.host, port: config.port });
    try {
      const notice = await greet(engine, config, { url: server.url, role, localSignIn });
      if (localSignIn) await owner();
      terminal.out(notice);
      const signal = await stop.stopped;
      logger.info({ signal }, 'stopping: calls in progress end first; a second signal stops at once');
    } finally {
      // They would keep the server waiting for their end.
      eventStream?.close();
      await server.close();
    }
  } finally {
    await work.close();
    await engine.close();
    stop.off();
  }
  return EXIT.ok;
}

/** What the operator sees in a browser: the queue, where there is a Redis and a token to open it with. */
async function operatorPagesOf({ operatorToken, publicUrl }: Config, { queue }: SharedWork) {
  if (operatorToken === undefined || queue === undefined) return undefined;
  // Only who asks for the page pays for its code.
  const { createBoard } = await import('../operator/board.ts');
  return createBoard({ queue, token: operatorToken, publicUrl });
}

interface Greeted {
  readonly url: string;
  readonly role: Role;
  readonly localSignIn: LocalSignIn | undefined;
}

async function greet(engine: Engine, config: Config, { url, role, localSignIn }: Greeted): Promise<string> {
  if (config.databaseUrl !== undefined) {
    const data = `Postgres, ${maskUrl(config.databaseUrl)}`;
    const noTenant = role !== 'worker' && (await engine.tenants.list()).length === 0;
    return startupNotice({ url, role, data, access: { outcome: 'kept' }, noTenant });
  }
  const access = await ensureLocalAccess(engine, config, url);
  return startupNotice({
    url,
    role,
    data: config.dataDir,
    access,
    noTenant: false,
    ...(localSignIn && { signInUrl: `${url}/auth/local?token=${localSignIn.token}` }),
  });
}

async function serverSettings(config: Config): Promise<ServerSettings> {
  return {
    ...DEFAULT_SERVER_SETTINGS,
    version: await packageVersion(),
    host: config.host,
    rateLimitPerMinute: config.rateLimitPerMinute,
    trustedProxies: config.trustedProxies,
    ...(config.publicUrl === undefined ? {} : { publicUrl: config.publicUrl }),
    ...(config.metricsToken === undefined ? {} : { metricsToken: config.metricsToken }),
  };
}
