export {
  CREDENTIALS_FILE,
  type Credentials,
  CredentialsError,
  findCredentials,
  formatCredentials,
  readCredentialsFile,
} from './credentials.ts';
export { loadSnapshot, type SavedInjection, SNAPSHOT_FILE } from './files/snapshot.ts';
export { makeFolders, temporaryBeside, writeFileAtomically } from './files/write-file.ts';
export { HOOK_SCRIPT, quoteForShell } from './install/command.ts';
export { hookHome, type InstallScope } from './install/hosts.ts';
export {
  findHooks,
  INSTALLABLE,
  type Installation,
  type InstalledHooks,
  type InstallResult,
  installHooks,
  uninstallHooks,
} from './install/install.ts';
export { SettingsError } from './install/json-file.ts';
export { megabytes, transcriptBacklog } from './progress.ts';
export { countWaiting } from './waiting.ts';
