export { readRefusal } from './client/answer.ts';
export { NEVER_SENT } from './client/send.ts';
export { signInDatabase } from './features/accounts/accounts.ts';
export { userLogins, userSessions, users, userVerifications } from './features/accounts/schema.ts';
export { recordRestore } from './features/audit-log/audit-log.ts';
export { auditEntry, auditVerdict, checkpoint } from './features/audit-log/contract.ts';
export { clientMetadata } from './features/connections/client-metadata.ts';
export { resourceOf } from './features/connections/resource.ts';
export { isAccessToken, TokenError } from './features/connections/tokens.ts';
export { readModelInUse } from './features/embedding/embedding-models.ts';
export { IMPORT_LIMITS } from './features/import/limits.ts';
export { shownName } from './features/import/read/source-file.ts';
export { releaseAllJobs } from './features/jobs/claim.ts';
export { deleteSpacesAgain } from './features/spaces/manage.ts';
export { presentApiKey } from './features/tenant/api-key-operations.ts';
export { forgetUsersAgain } from './features/users/forget.ts';
export type { Resolve } from './features/webhooks/resolve.ts';
export {
  isLiteralAddress,
  parseTarget,
  requestTarget,
  resolveTarget,
  systemResolve,
  TargetError,
  type TargetPolicy,
} from './features/webhooks/target.ts';
export { humanOnly, requireAccess } from './kernel/context/require-access.ts';
export { checkBackup, clearCutOffBackups } from './kernel/database/backup/backup.ts';
export { copyDatabase } from './kernel/database/backup/copy-database.ts';
export { restoreBackup, takeRestore } from './kernel/database/backup/restore-backup.ts';
export { EMPTY_LOG } from './kernel/database/data-folder/empty-log.ts';
export { isLocked } from './kernel/database/data-folder/folder-lock.ts';
export { removeWhenFree, renameWhenFree } from './kernel/database/data-folder/until-free.ts';
export { BACKUP_FOLDER, bringErasures, ERASURE_LOG, readErasureLog } from './kernel/database/erasure-log.ts';
export { translateError } from './kernel/database/errors.ts';
export { tryPglite, tryPostgres } from './kernel/database/open-database.ts';
export { addressesOf } from './kernel/database/postgres/addresses.ts';
export { loadConnection } from './kernel/database/postgres/load-connection.ts';
export { quietTurn, yieldToEventLoop } from './kernel/runtime/event-loop.ts';
export { restoreReceipts } from './kernel/tenancy/receipts.ts';
export { loadTokenizer } from './text/tokens.ts';
