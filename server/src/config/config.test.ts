import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ConfigError, describeConfig, loadConfig, unknownVariables } from './config.ts';
import { variables } from './variables.ts';

function mistakes(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
}

test.each(
  Object.values(variables).flatMap(({ name, schema, description }) =>
    schema instanceof z.ZodEnum ? [{ name, values: schema.options, description }] : [],
  ),
)('what is said of $name names each of its values', ({ values, description }) => {
  for (const value of values) expect(description).toMatch(new RegExp(`\\b${value}\\b`));
});

test('without any variable everything has its default', () => {
  expect(loadConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: undefined,
    dataDir: resolve('.svc'),
    embeddedSync: true,
    backupsKeep: 3,
    databaseUrl: undefined,
    redisUrl: undefined,
    embedder: 'static',
    reranker: 'none',
    logLevel: 'info',
    rateLimitPerMinute: 600,
    recallHeldMiB: 64,
    redactSecrets: true,
    mergeRepeated: true,
    recallLogDays: 7,
    conflictsPerDay: 200,
    guardianCoolingMs: 86_400_000,
    guardianUnattended: 'harmless',
    allowPrivateWebhooks: false,
    allowPrivateImports: false,
    trustedProxies: 0,
    secret: undefined,
    allowSignup: undefined,
    signUpPlan: 'trial',
    smtpUrl: undefined,
    oauthGoogleId: undefined,
    oauthGoogleSecret: undefined,
    oauthGithubId: undefined,
    oauthGithubSecret: undefined,
    oauthOidcId: undefined,
    oauthOidcSecret: undefined,
    oauthOidcIssuer: undefined,
    metricsToken: undefined,
    apiUrl: undefined,
    apiKey: undefined,
  });
});

test.each([
  ['SVC_REDIS_URL', 'rediss://cache:6380', 'redisUrl', 'rediss://cache:6380'],
  ['SVC_ALLOW_PRIVATE_WEBHOOKS', 'true', 'allowPrivateWebhooks', true],
  ['SVC_ALLOW_PRIVATE_IMPORTS', 'true', 'allowPrivateImports', true],
  ['SVC_HOST', '0.0.0.0', 'host', '0.0.0.0'],
  ['SVC_HOST', '::1', 'host', '::1'],
  ['SVC_PORT', '0', 'port', 0],
  ['SVC_PORT', ' 8080 ', 'port', 8080],
  ['SVC_PORT', '', 'port', 3000],
  ['SVC_PUBLIC_URL', 'https://memory.example.com/', 'publicUrl', 'https://memory.example.com'],
  ['SVC_DATA_DIR', '/var/lib/svc', 'dataDir', '/var/lib/svc'],
  ['SVC_DATABASE_URL', 'postgresql://u:p@h/d', 'databaseUrl', 'postgresql://u:p@h/d'],
  ['SVC_DATABASE_URL', 'postgres://u@h:1,i:2/d', 'databaseUrl', 'postgres://u@h:1,i:2/d'],
  ['SVC_LOG_LEVEL', 'silent', 'logLevel', 'silent'],
  ['SVC_RATE_LIMIT', '0', 'rateLimitPerMinute', 0],
  ['SVC_RECALL_HELD_MIB', '0', 'recallHeldMiB', 0],
  ['SVC_GUARDIAN_COOLING', '90m', 'guardianCoolingMs', 5_400_000],
  ['SVC_GUARDIAN_COOLING', '30d', 'guardianCoolingMs', 2_592_000_000],
  ['SVC_GUARDIAN_COOLING', '1.5h', 'guardianCoolingMs', 5_400_000],
  ['SVC_TRUSTED_PROXIES', '1', 'trustedProxies', 1],
  ['SVC_ALLOW_SIGNUP', 'true', 'allowSignup', true],
  ['SVC_ALLOW_SIGNUP', 'false', 'allowSignup', false],
  ['SVC_SIGNUP_PLAN', 'standard', 'signUpPlan', 'standard'],
] as const)('%s=%j is read', (name, text, field, value) => {
  expect(loadConfig({ [name]: text })[field]).toBe(value);
});

test.each([
  ['SVC_HOST', 'http://here', 'SVC_HOST must be a host name or IP address'],
  ['SVC_PORT', '70000', 'SVC_PORT must be a whole number from 0 to 65535, not "70000"'],
  ['SVC_PORT', '-1', 'SVC_PORT must be a whole number'],
  ['SVC_PORT', '3e3', 'SVC_PORT must be a whole number'],
  ['SVC_PUBLIC_URL', 'memory.example.com', 'SVC_PUBLIC_URL must be an http or https address'],
  [
    'SVC_PUBLIC_URL',
    'https://ada:pw@memory.example.com',
    'SVC_PUBLIC_URL must hold no user, password or parameters',
  ],
  [
    'SVC_API_URL',
    'https://ada:pw@memory.example.com',
    'SVC_API_URL must hold no user, password or parameters; the key is SVC_API_KEY',
  ],
  ['SVC_EMBEDDER', 'openai', 'SVC_EMBEDDER must be auto, static, openai:<model> or transformers:<model>'],
  [
    'SVC_EMBEDDER_URL',
    'http://ada:pw@localhost/v1',
    'SVC_EMBEDDER_URL must hold no user, password or parameters',
  ],
  ['SVC_EMBEDDER_CALIBRATION', '0.9,0.2,1', 'SVC_EMBEDDER_CALIBRATION must be three numbers such as'],
  ['SVC_LOG_LEVEL', 'verbose', 'SVC_LOG_LEVEL must be one of debug, info'],
  ['SVC_GUARDIAN_COOLING', '24', 'SVC_GUARDIAN_COOLING must be a duration such as'],
  ['SVC_GUARDIAN_COOLING', '59m', 'SVC_GUARDIAN_COOLING must be a duration from 1h to 30d'],
  ['SVC_GUARDIAN_COOLING', '31d', 'SVC_GUARDIAN_COOLING must be a duration from 1h to 30d'],
  ['SVC_SIGNUP_PLAN', 'gold', 'SVC_SIGNUP_PLAN must be one of standard, trial, local'],
  ['SVC_ALLOW_SIGNUP', 'yes', 'SVC_ALLOW_SIGNUP must be true or false'],
  ['SVC_SECRET', 'short', 'SVC_SECRET must have at least 32 characters'],
  ['SVC_SMTP_URL', 'mail.example.com', 'SVC_SMTP_URL must be an address such as smtps://'],
  ['SVC_METRICS_TOKEN', 'short', 'SVC_METRICS_TOKEN must have at least 16 characters'],
])('%s=%j is refused', (name, text, message) => {
  expect(mistakes({ [name]: text })).toEqual([expect.stringContaining(message)]);
});

test('all mistakes are told at once, none of them with a secret', () => {
  const env = { SVC_PORT: 'x', SVC_DATABASE_URL: 'mysql://u:hunter2@h/d', SVC_API_KEY: 'svc key' };
  const told = mistakes(env);
  expect(told).toHaveLength(3);
  expect(told.join()).not.toMatch(/hunter2|svc key/);
});

test.each([
  ['SVC_PROT', 'did you mean SVC_PORT?'],
  ['SVC_DATADIR', 'did you mean SVC_DATA_DIR?'],
  ['SVC_DATABSE_URL', 'did you mean SVC_DATABASE_URL?'],
])('%s: %s', (name, hint) => {
  expect(unknownVariables({ [name]: '1' })).toEqual([
    `${name} is not a setting of this version and has no effect; ${hint}`,
  ]);
});

test('unlike names get no hint, known and foreign ones no warning', () => {
  expect(unknownVariables({ SVC_FLUX_CAPACITOR: '1', SVC_PORT: '1', PATH: '/bin', SVC_OLD: '' })).toEqual([
    'SVC_FLUX_CAPACITOR is not a setting of this version and has no effect',
  ]);
});

test('every default is valid, and every variable is described', () => {
  const settings = describeConfig({});
  expect(settings.map(({ name }) => name)).toEqual(Object.values(variables).map(({ name }) => name));
  for (const { name, description, origin } of settings) {
    expect(description, name).toMatch(/^[A-Z].{10,}\.$/);
    expect(origin, name).not.toBe('environment');
  }
});

test.each([
  ['postgres://ada:hunter2@db:5432/memories', 'postgres://ada:***@db:5432/memories'],
  ['postgres://ada@db/memories?password=hunter2', 'postgres://ada@db/memories?***'],
  ['postgres://ada:hunter2@one:1,two:2/m', 'postgres://ada:***@one:1/m, postgres://ada:***@two:2/m'],
  ['hunter2', '***'],
])('the database address %s is shown as %s', (text, shown) => {
  const setting = describeConfig({ SVC_DATABASE_URL: text }).find(({ name }) => name === 'SVC_DATABASE_URL');
  expect(setting?.value).toBe(shown);
});

test.each(['SVC_API_KEY', 'SVC_METRICS_TOKEN'])(
  'nothing of %s is shown, even where it looks like an address',
  (name) => {
    const setting = describeConfig({ [name]: 'token://0123456789' }).find((row) => row.name === name);
    expect(setting).toMatchObject({ value: '***', origin: 'environment' });
  },
);
