import { createEngine, createSecretBox, type Engine } from '@svc-memory/core';
import { destination } from 'pino';
import { accountSettings, mailerOf } from '../accounts/configure.ts';
import { createLocalSignIn, type LocalSignIn } from '../accounts/local-owner.ts';
import { createApp } from '../app.ts';
import { type Config, loadConfig, maskUrl, unknownVariables } from '../config.ts';
import { createEventStream } from '../events/stream.ts';
import { startServer } from '../listen.ts';
import { createLogger } from '../logs/logger.ts';
import { shareWork } from '../redis/share-work.ts';
import { serviceSecret } from '../service-secret.ts';
import { DEFAULT_SERVER_SETTINGS, type ServerSettings } from '../settings.ts';
import { EXIT } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { openDatabase } from './database.ts';
import { ensureLocalAccess, userName } from './local-access.ts';
import { packageVersion } from './package-version.ts';
import { startupNotice } from './startup-notice.ts';
import { listenForStop } from './stop-signal.ts';

/** Runs the service until it is told to stop; answers the exit code. */
export async function serve({ env, terminal }: CommandContext): Promise<number> {
  const config = loadConfig(env);
  for (const line of unknownVariables(env)) terminal.err(`svc: ${line}`);
  const stop = listenForStop({
    source: process,
    now: () => performance.now(),
    exit: (code) => process.exit(code),
  });
  // Logs go to stderr: stdout holds what is meant for people, the API key of the first start among it.
  const logger = createLogger({ level: config.logLevel }, destination(2));
  const accounts = accountSettings(config);
  const database = await openDatabase(config);
  const settings = { guardianCoolingMs: config.guardianCoolingMs };
  const secret = await serviceSecret(config).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const webhooks = { secrets: createSecretBox(secret), allowPrivate: config.allowPrivateWebhooks };
  const engine = createEngine({ database, logger, settings, webhooks });
  const work = shareWork(config.redisUrl, engine.background, logger);
  try {
    const mailer = mailerOf(config, terminal.out);
    const owner = () => engine.accounts.ensureLocalOwner(userName() ?? 'Owner');
    const localSignIn = config.databaseUrl === undefined ? createLocalSignIn(owner) : undefined;
    const eventStream = createEventStream({ engine, logger });
    const app = createApp({
      engine,
      eventStream,
      settings: { ...(await serverSettings(config)), ...accounts, secret },
      logger,
      serviceUrl: () => server.url,
      ...(mailer && { mailer }),
      ...(localSignIn && { localSignIn }),
      ...(work.createLimiter && { createLimiter: work.createLimiter }),
    });
    const server = await startServer({ app, host: config.host, port: config.port });
    try {
      const notice = await greet(engine, config, server.url, localSignIn);
      if (localSignIn) await owner();
      terminal.out(notice);
      const signal = await stop.stopped;
      logger.info({ signal }, 'stopping: calls in progress end first; a second signal stops at once');
    } finally {
      // They would keep the server waiting for their end.
      eventStream.close();
      await server.close();
    }
  } finally {
    await work.close();
    await engine.close();
    stop.off();
  }
  return EXIT.ok;
}

async function greet(
  engine: Engine,
  config: Config,
  url: string,
  localSignIn: LocalSignIn | undefined,
): Promise<string> {
  if (config.databaseUrl !== undefined) {
    const data = `Postgres, ${maskUrl(config.databaseUrl)}`;
    const noTenant = (await engine.tenants.list()).length === 0;
    return startupNotice({ url, data, access: { outcome: 'kept' }, noTenant });
  }
  const access = await ensureLocalAccess(engine, config, url);
  return startupNotice({
    url,
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
