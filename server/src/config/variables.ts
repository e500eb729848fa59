import { resolve } from 'node:path';
import { fields } from '@svc-memory/core/contract';
import { addressesOf } from '@svc-memory/core/server';
import { z } from 'zod';

/** One environment variable: read by the service or by clients, shown by `npx svc-memory config`, `--help` and the docs. */
export interface Variable<Schema extends z.ZodType = z.ZodType> {
  readonly name: `SVC_${string}`;
  /** From the text of the variable to its value; its messages complete the sentence "SVC_X must ...". */
  readonly schema: Schema;
  /** Text used where the variable is not set; without one the setting is optional. */
  readonly default?: string;
  readonly description: string;
  /** `whole` values are never shown; of a `url` only user, host and path are. */
  readonly secret?: 'whole' | 'url';
}

function variable<const Row extends Variable>(row: Row): Row {
  return row;
}

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** What lasts longer ends at a time that not every clock and calendar can hold. */
const LONGEST = 36_500 * UNITS.d;

/** Milliseconds written as `90s`, `30m`, `24h` or `7d`, up to a hundred years. */
export const duration = z.string().transform((value, context) => {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(value);
  const duration = Math.round(Number(match?.[1]) * UNITS[match?.[2] as keyof typeof UNITS]);
  if (duration <= LONGEST) return duration;
  context.addIssue({ code: 'custom', message: 'be a duration such as 90s, 30m, 24h or 7d' });
  return z.NEVER;
});

function wholeNumber(min: number, max: number) {
  const message = `be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

function address(protocols: RegExp, message: string) {
  return z.string().refine((value) => isAddress(value, protocols), message);
}

function isAddress(value: string, protocols: RegExp): boolean {
  return URL.canParse(value) && protocols.test(new URL(value).protocol);
}

const webAddress = address(
  /^https?:$/,
  'be an http or https address such as https://memory.example.com',
).transform((value) => value.replace(/\/+$/, ''));
/** An address that is shown and logged whole. `keyName` is the setting that the key belongs in. */
const plainAddress = (keyName?: string) =>
  webAddress.refine(
    (value) => !/[@?#]/.test(value),
    `hold no user, password or parameters${keyName === undefined ? '' : `; the key is ${keyName}`}`,
  );
const COOLING = 'be a duration from 1h to 30d, such as 24h';
const truth = z.enum(['true', 'false'], 'be true or false').transform((value) => value === 'true');
const CALIBRATION = 'be three numbers such as 0.25,0.65,0.8: unrelated below related, all from -1 to 1';
const calibration = z.string().transform((value, context) => {
  const [unrelated, related, trust, ...more] = value
    .split(',')
    .map((part) => Number(part.trim() || Number.NaN));
  const valid = [unrelated, related, trust].every((part) => part !== undefined && Math.abs(part) <= 1);
  if (unrelated !== undefined && related !== undefined && trust !== undefined && valid && more.length === 0) {
    if (unrelated < related && trust >= 0) return { unrelated, related, trust };
  }
  context.addIssue({ code: 'custom', message: CALIBRATION });
  return z.NEVER;
});
const secretText = z.string().regex(/^[\x21-\x7e]+$/, 'hold only printable ASCII characters without spaces');

/** Every setting there is, in the order it is shown. */
export const variables = {
  host: variable({
    name: 'SVC_HOST',
    schema: z.string().regex(/^[\w.:-]+$/, 'be a host name or IP address such as 127.0.0.1 or 0.0.0.0'),
    default: '127.0.0.1',
    description: 'Address to listen on; 0.0.0.0 opens the service to the network.',
  }),
  port: variable({
    name: 'SVC_PORT',
    schema: wholeNumber(0, 65_535),
    default: '3000',
    description: 'Port to listen on; 0 takes a free one.',
  }),
  publicUrl: variable({
    name: 'SVC_PUBLIC_URL',
    schema: plainAddress(),
    description:
      'Address clients use where it differs, e.g. behind a proxy; the dashboard works at one without a path.',
    secret: 'url',
  }),
  dataDir: variable({
    name: 'SVC_DATA_DIR',
    schema: z.string().transform((value) => resolve(value)),
    default: '.svc',
    description: 'Folder of the embedded database and of credentials.json.',
  }),
  embeddedSync: variable({
    name: 'SVC_EMBEDDED_SYNC',
    schema: z.enum(['on', 'off'], 'be on or off').transform((value) => value === 'on'),
    default: 'on',
    description:
      'Whether the embedded database answers a write only when it is on the disk; off is faster, and a power cut loses memories.',
  }),
  backupsKeep: variable({
    name: 'SVC_BACKUPS_KEEP',
    schema: wholeNumber(0, 1_000),
    default: '3',
    description:
      'How many daily backups of the embedded database are kept in its folder, and as many of those before a migration; 0 = none are made.',
  }),
  databaseUrl: variable({
    name: 'SVC_DATABASE_URL',
    schema: z
      .string()
      .refine(
        (value) => addressesOf(value).every((one) => isAddress(one, /^postgres(ql)?:$/)),
        'be an address such as postgres://user:password@host:5432/database',
      ),
    description:
      'Postgres 15+ with pgvector, in place of the embedded database; of several hosts (host1:5432,host2:5432) that is used which accepts writes.',
    secret: 'url',
  }),
  redisUrl: variable({
    name: 'SVC_REDIS_URL',
    schema: address(/^rediss?:$/, 'be an address such as redis://user:password@host:6379'),
    description:
      'Redis through which several processes share rate limits and background work; rediss:// for TLS.',
    secret: 'url',
  }),
  embedder: variable({
    name: 'SVC_EMBEDDER',
    schema: z
      .string()
      .regex(
        /^(auto|static|(openai|transformers):[\w./:@-]{1,200})$/,
        'be auto, static, openai:<model> or transformers:<model>, such as openai:text-embedding-3-small',
      ),
    default: 'static',
    description:
      'What turns text into vectors: static needs no network; openai:<model>, transformers:<model>; auto takes a model that is on this machine.',
  }),
  embedderUrl: variable({
    name: 'SVC_EMBEDDER_URL',
    schema: plainAddress('SVC_EMBEDDER_API_KEY'),
    description:
      'For openai:<model>: the server, such as http://localhost:11434/v1; default OpenAI. For auto: the only server to ask.',
    secret: 'url',
  }),
  embedderApiKey: variable({
    name: 'SVC_EMBEDDER_API_KEY',
    schema: secretText,
    description: 'For openai:<model>: API key of that server, where it wants one.',
    secret: 'whole',
  }),
  embedderCalibration: variable({
    name: 'SVC_EMBEDDER_CALIBRATION',
    schema: calibration,
    description:
      'How its cosines are read, as `npm run calibrate` prints it; default: measured at first use.',
  }),
  reranker: variable({
    name: 'SVC_RERANKER',
    schema: z.enum(
      ['none', 'openai-compatible', 'transformers'],
      'be one of none, openai-compatible, transformers',
    ),
    default: 'none',
    description:
      'What orders the best results of a recall anew: openai-compatible, a server with /rerank; transformers, a cross-encoder in this process; or none.',
  }),
  rerankerUrl: variable({
    name: 'SVC_RERANKER_URL',
    schema: plainAddress('SVC_RERANKER_API_KEY'),
    description: 'For openai-compatible: the server up to /rerank, such as http://localhost:8000/v1.',
    secret: 'url',
  }),
  rerankerModel: variable({
    name: 'SVC_RERANKER_MODEL',
    schema: z.string().regex(/^[\w./:@-]{1,200}$/, 'be the name of a model, such as BAAI/bge-reranker-v2-m3'),
    description: 'Its model, or for transformers one of the hub, such as Xenova/ms-marco-MiniLM-L-6-v2.',
  }),
  rerankerApiKey: variable({
    name: 'SVC_RERANKER_API_KEY',
    schema: secretText,
    description: 'API key of that server, where it wants one.',
    secret: 'whole',
  }),
  llmUrl: variable({
    name: 'SVC_LLM_URL',
    schema: plainAddress('SVC_LLM_API_KEY'),
    description:
      'For reflection and doubtful facts: an OpenAI-compatible server, such as http://localhost:11434/v1.',
    secret: 'url',
  }),
  llmModel: variable({
    name: 'SVC_LLM_MODEL',
    schema: z.string().regex(/^[\w./:@-]{1,200}$/, 'be the name of a model, such as gpt-4o-mini'),
    description: 'Its model that writes digests; without one they quote the episodes.',
  }),
  llmApiKey: variable({
    name: 'SVC_LLM_API_KEY',
    schema: secretText,
    description: 'API key of that server, where it wants one.',
    secret: 'whole',
  }),
  logLevel: variable({
    name: 'SVC_LOG_LEVEL',
    schema: z.enum(
      ['debug', 'info', 'warn', 'error', 'silent'],
      'be one of debug, info, warn, error, silent',
    ),
    default: 'info',
    description:
      'Least severe log lines that are written: debug, which also shows stack traces, info, warn, error, or silent.',
  }),
  recallHeldMiB: variable({
    name: 'SVC_RECALL_HELD_MIB',
    schema: wholeNumber(0, 65_536),
    default: '64',
    description:
      'Room for the memories of busy agents, which recall then searches in the process: 64 hold about 100,000 short ones. 0 = none.',
  }),
  rateLimitPerMinute: variable({
    name: 'SVC_RATE_LIMIT',
    schema: wholeNumber(0, 1_000_000),
    default: '600',
    description: 'Calls per API key and minute; 0 = no limit.',
  }),
  guardianCoolingMs: variable({
    name: 'SVC_GUARDIAN_COOLING',
    schema: duration.refine((value) => value >= UNITS.h && value <= 30 * UNITS.d, COOLING),
    default: '24h',
    description: 'How long a change to a protected memory waits, 1h to 30d.',
  }),
  guardianUnattended: variable({
    name: 'SVC_GUARDIAN_UNATTENDED',
    schema: z.enum(['harmless', 'nothing'], 'be harmless or nothing'),
    default: 'harmless',
    description:
      'What is applied to a protected memory when the human has not decided in that time: what is harmless, as it cannot change the meaning, or nothing.',
  }),
  redactSecrets: variable({
    name: 'SVC_REDACT_SECRETS',
    schema: truth,
    default: 'true',
    description:
      "Whether secrets in well-known formats (cloud keys, tokens, private keys, passwords in addresses) are taken out of what comes in; the service's own keys always are.",
  }),
  mergeRepeated: variable({
    name: 'SVC_MERGE_REPEATED',
    schema: truth,
    default: 'true',
    description:
      'Whether a semantic or working memory without a key that says the same as one before counts for that one, in place of being stored twice.',
  }),
  recallLogDays: variable({
    name: 'SVC_RECALL_LOG_DAYS',
    schema: wholeNumber(0, 365),
    default: '7',
    description:
      'Days for which recalls are kept at GET /recalls: what was asked, by whom, and the ids that came back; 0 = none are.',
  }),
  conflictsPerDay: variable({
    name: 'SVC_CONFLICTS_PER_DAY',
    schema: wholeNumber(0, 100_000),
    default: '200',
    description:
      'With SVC_LLM_URL: how often within 24 hours that model is asked whether a fact replaces another of which the rules cannot tell, of each agent; 0 = never.',
  }),
  allowPrivateWebhooks: variable({
    name: 'SVC_ALLOW_PRIVATE_WEBHOOKS',
    schema: truth,
    default: 'false',
    description: 'Whether events may be sent to http, loopback and private addresses.',
  }),
  allowPrivateImports: variable({
    name: 'SVC_ALLOW_PRIVATE_IMPORTS',
    schema: truth,
    default: 'false',
    description: 'Whether imports may be fetched from http, loopback and private addresses.',
  }),
  trustedProxies: variable({
    name: 'SVC_TRUSTED_PROXIES',
    schema: wholeNumber(0, 10),
    default: '0',
    description: 'Proxies in front of the service that may name the address of the client.',
  }),
  secret: variable({
    name: 'SVC_SECRET',
    schema: secretText.min(32, 'have at least 32 characters'),
    description: 'Signs sessions; the same for all processes. Default: made in the data folder.',
    secret: 'whole',
  }),
  allowSignup: variable({
    name: 'SVC_ALLOW_SIGNUP',
    schema: truth,
    description: 'Whether strangers may sign up; default true with Postgres, else false.',
  }),
  signUpPlan: variable({
    name: 'SVC_SIGNUP_PLAN',
    schema: z.enum(fields.PLANS, `be one of ${fields.PLANS.join(', ')}`),
    default: 'trial',
    description:
      'Plan of who signs up: trial, standard or local; `npx svc-memory tenants plan` changes it later.',
  }),
  smtpUrl: variable({
    name: 'SVC_SMTP_URL',
    schema: address(
      /^smtps?:$/,
      'be an address such as smtps://user:password@host:465?from=memory@example.com',
    ),
    description: 'Mail server; with it, those who sign up confirm their address.',
    secret: 'url',
  }),
  oauthGoogleId: variable({
    name: 'SVC_OAUTH_GOOGLE_ID',
    schema: secretText,
    description: 'Client id at Google; with its secret, humans may sign in by Google.',
  }),
  oauthGoogleSecret: variable({
    name: 'SVC_OAUTH_GOOGLE_SECRET',
    schema: secretText,
    description: 'Client secret at Google.',
    secret: 'whole',
  }),
  oauthGithubId: variable({
    name: 'SVC_OAUTH_GITHUB_ID',
    schema: secretText,
    description: 'Client id at GitHub; with its secret, humans may sign in by GitHub.',
  }),
  oauthGithubSecret: variable({
    name: 'SVC_OAUTH_GITHUB_SECRET',
    schema: secretText,
    description: 'Client secret at GitHub.',
    secret: 'whole',
  }),
  oauthOidcId: variable({
    name: 'SVC_OAUTH_OIDC_ID',
    schema: secretText,
    description: 'Client id at an OpenID Connect issuer, for signing in by it.',
  }),
  oauthOidcSecret: variable({
    name: 'SVC_OAUTH_OIDC_SECRET',
    schema: secretText,
    description: 'Client secret at that issuer.',
    secret: 'whole',
  }),
  oauthOidcIssuer: variable({
    name: 'SVC_OAUTH_OIDC_ISSUER',
    schema: webAddress,
    description: 'Address of that issuer, without /.well-known.',
  }),
  metricsToken: variable({
    name: 'SVC_METRICS_TOKEN',
    schema: secretText.min(16, 'have at least 16 characters'),
    description: 'Bearer token for /metrics; without one only this machine may read them.',
    secret: 'whole',
  }),
  operatorToken: variable({
    name: 'SVC_OPERATOR_TOKEN',
    schema: secretText.min(16, 'have at least 16 characters'),
    description:
      'Password of /operator/queues, which shows the background work; needs Redis. Default: no page.',
    secret: 'whole',
  }),
  apiUrl: variable({
    name: 'SVC_API_URL',
    // `connect` takes both forms, and so do commands that speak HTTP themselves.
    schema: plainAddress('SVC_API_KEY').transform((value) => value.replace(/\/api\/v1$/, '')),
    description: 'For clients: address of the service; default from credentials.json.',
    secret: 'url',
  }),
  apiKey: variable({
    name: 'SVC_API_KEY',
    schema: secretText,
    description: 'For clients: API key; default from credentials.json.',
    secret: 'whole',
  }),
} as const satisfies Record<string, Variable>;
