import type { Commands } from './program.ts';

/** Every command of `svc` by its name, in the order of its help. Most need no database. */
export const COMMANDS: Commands = {
  serve: () => import('./commands/serve/serve.ts'),
  autostart: () => import('./commands/autostart/autostart.ts'),
  status: () => import('./commands/status.ts'),
  remember: () => import('./commands/remember.ts'),
  recall: () => import('./commands/recall.ts'),
  boot: () => import('./commands/boot.ts'),
  open: () => import('./commands/open.ts'),
  link: () => import('./commands/link.ts'),
  export: () => import('./commands/export.ts'),
  import: () => import('./commands/import/import.ts'),
  files: () => import('./commands/files/files.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore.ts'),
  reflect: () => import('./commands/reflect.ts'),
  doctor: () => import('./commands/doctor/doctor.ts'),
  config: () => import('./commands/show-config.ts'),
  migrate: () => import('./commands/migrate.ts'),
  reembed: () => import('./commands/reembed.ts'),
  scrub: () => import('./commands/scrub.ts'),
  vacuum: () => import('./commands/vacuum.ts'),
  audit: () => import('./commands/audit.ts'),
  keys: () => import('./commands/keys.ts'),
  tenants: () => import('./commands/tenants.ts'),
  hooks: () => import('./commands/hooks/hooks.ts'),
};
