export { HOOK_SCRIPT } from './install/command.ts';
export {
  type Found,
  findHooks,
  hookHome,
  INSTALLABLE,
  type Installation,
  type Installed,
  installHooks,
  uninstallHooks,
} from './install/install.ts';
export { SettingsError } from './install/json-file.ts';
export { loadSnapshot, SNAPSHOT_FILE, type Snapshot } from './snapshot.ts';
export { openSpool } from './spool.ts';
