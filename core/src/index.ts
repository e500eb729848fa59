// What these declare by declaration merging (settings, hooks) is part of the public types; declaration files name them only so.
import './features/boot/contract.ts';
import './features/compaction/contract.ts';
import './features/guardian/contract.ts';
import './features/guardian/stability/contract.ts';
import './features/memory/contract.ts';
import './features/recall/contract.ts';
import './features/reflection/contract.ts';

export * from './app/contract.ts';
export type { EngineOptions } from './app/create-services.ts';
export { createEngine, type Engine } from './app/engine.ts';
export type { Streams } from './app/transfer-streams.ts';
export type { Accounts, HumanRecord } from './features/accounts/accounts.ts';
export type { WalletChallenge, Wallets } from './features/accounts/wallets.ts';
export type { AuditLog } from './features/audit-log/audit-log.ts';
export type { AuditEntry, AuditVerdict, Checkpoint } from './features/audit-log/contract.ts';
export type { Entry, Section } from './features/boot/section.ts';
export type { FetchClientMetadata } from './features/connections/client-metadata.ts';
export type { Connections, IssuedTokens, TokenHolder } from './features/connections/tokens.ts';
export {
  type Calibration,
  type Embedder,
  EmbedderError,
  type EmbedderFailure,
  genericCalibration,
  type MeasuredEmbedder,
  measureCalibration,
  type Purpose,
} from './features/embedding/embedder.ts';
export type { EmbedderFor } from './features/embedding/embedding-models.ts';
export {
  type AiSdkEmbeddingModel,
  aiSdkEmbedder,
  type CodeEmbedderOptions,
  type LangChainEmbeddings,
  langChainEmbedder,
} from './features/embedding/remote/code-embedders.ts';
export {
  findServedModels,
  LOCAL_SERVERS,
  type ModelServer,
  type ServedModel,
  servedEmbedder,
} from './features/embedding/remote/local-models.ts';
export { type OpenAiEmbedderOptions, openAiEmbedder } from './features/embedding/remote/openai-embedder.ts';
export type { Resilience } from './features/embedding/remote/policies.ts';
export {
  type Transformers,
  type TransformersEmbedderOptions,
  transformersEmbedder,
} from './features/embedding/remote/transformers-embedder.ts';
export { createStaticEmbedder, STATIC_MODEL } from './features/embedding/static/static-embedder.ts';
export type { ExportFormat } from './features/export/contract.ts';
export { FORMAT_NAMES, type FormatName, type GitSource, type S3Source } from './features/import/contract.ts';
export type { ImportSources } from './features/import/import.ts';
export type { IncomingFile } from './features/import/spool.ts';
export { RECALL_SIGNALS, type RecallSignal } from './features/recall/contract.ts';
export { type RemoteRerankerOptions, remoteReranker } from './features/recall/reranking/remote-reranker.ts';
export type { Reranker } from './features/recall/reranking/reranker.ts';
export {
  type CrossEncoderLibrary,
  type TransformersRerankerOptions,
  transformersReranker,
} from './features/recall/reranking/transformers-reranker.ts';
export type { Reembedding } from './features/reembedding/reembedding.ts';
export type { Scrubbing } from './features/scrub/scrub.ts';
export type { EventLog, EventPosition, LoggedEvent } from './features/webhooks/log.ts';
export { createSecretBox, type SecretBox } from './features/webhooks/secret-box.ts';
export type { WebhookOptions } from './features/webhooks/webhooks.ts';
export type { Actor, Call } from './kernel/context/call.ts';
export type { EngineSettings } from './kernel/context/context.ts';
export type { ChangingHooks, Event, NotifyingHooks, Plugin } from './kernel/context/hooks.ts';
export { AUDIT_CHAINS, type AuditChain } from './kernel/contract/audit-chains.ts';
export type { KeyScope, Plan } from './kernel/contract/fields.ts';
export { BackupError } from './kernel/database/backup/backup-error.ts';
export { FolderInUseError } from './kernel/database/data-folder/folder-lock.ts';
export { DamagedFolderError, OtherPostgresError } from './kernel/database/data-folder/folder-state.ts';
export type { BackupStep, Database, TenantIds, Tx } from './kernel/database/database.ts';
export { DatabaseError } from './kernel/database/errors.ts';
export { DatabaseSettingsError, MigrationError, NewerDatabaseError } from './kernel/database/migrate.ts';
export { openPglite, openPostgres } from './kernel/database/open-database.ts';
export type { PgliteOptions } from './kernel/database/pglite/pglite-options.ts';
export type { PostgresOptions } from './kernel/database/postgres/postgres.ts';
export type { Scheduler } from './kernel/queue/scheduler.ts';
export type { Clock, Ids, Logger } from './kernel/runtime/runtime.ts';
export type { ApiKeyRecord, ApiKeys, KeyHolder, NewApiKey } from './kernel/tenancy/api-keys.ts';
export type { TenantRecord, Tenants, TenantUsage } from './kernel/tenancy/tenants.ts';
export { type LanguageModel, ModelAwayError, type Prompt } from './language-model/language-model.ts';
export {
  type OpenAiLanguageModelOptions,
  openAiLanguageModel,
} from './language-model/openai-language-model.ts';
