export type { Accounts } from './accounts/accounts.ts';
export { userLogins, userSessions, users, userVerifications } from './accounts/schema.ts';
export type { WalletChallenge, Wallets } from './accounts/wallets.ts';
export type { Background } from './background/runner.ts';
export type { Entry, Section } from './boot/section.ts';
export * from './contract/index.ts';
export type { Database, Tx } from './database/database.ts';
export { DatabaseError } from './database/errors.ts';
export { FolderInUseError } from './database/lock.ts';
export { openPglite } from './database/open-pglite.ts';
export { openPostgres, type PostgresOptions } from './database/postgres.ts';
export {
  type Calibration,
  type Embedder,
  genericCalibration,
  type MeasuredEmbedder,
  measureCalibration,
  type Purpose,
} from './embedding/embedder.ts';
export { EmbedderError, type EmbedderFailure } from './embedding/embedder-error.ts';
export type { Reembedding } from './embedding/reembed/reembedding.ts';
export * from './embedding/remote/index.ts';
export type { EmbedderFor } from './embedding/spaces.ts';
export { createStaticEmbedder, STATIC_MODEL } from './embedding/static/index.ts';
export type { Actor, EngineSettings } from './engine/context.ts';
export { createEngine, type Engine, type EngineOptions } from './engine/engine.ts';
export type { Call, ChangingHooks, Event, NotifyingHooks, Plugin } from './engine/plugins.ts';
export type { Clock, Ids, ImportSources, Logger } from './engine/ports.ts';
export type { Streams } from './engine/streams.ts';
export type { EventLog, EventPosition, LoggedEvent } from './events/log.ts';
export { createSecretBox, type SecretBox } from './events/secret-box.ts';
export {
  checkedLookup,
  parseTarget,
  type Resolve,
  resolveTarget,
  systemResolve,
  TargetError,
  type TargetPolicy,
} from './events/target.ts';
export type { WebhookOptions } from './events/webhooks.ts';
export type { ExportFormat } from './export/contract.ts';
export { FORMAT_NAMES, type FormatName, type GitSource, type S3Source } from './import/contract.ts';
export { IMPORT_LIMITS } from './import/limits.ts';
export type { IncomingFile } from './import/spool.ts';
export { releaseAllJobs } from './jobs/release-all.ts';
export { RECALL_SIGNALS, type RecallSignal } from './recall/signals.ts';
export type { LanguageModel, Prompt } from './reflection/language-model.ts';
export { type OpenAiLanguageModelOptions, openAiLanguageModel } from './reflection/openai-language-model.ts';
export type { ApiKeyRecord, ApiKeys, KeyHolder, NewApiKey } from './tenants/api-keys.ts';
export type { KeyScope, Plan } from './tenants/schema.ts';
export type { TenantRecord, Tenants } from './tenants/tenants.ts';
