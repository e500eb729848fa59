import { t } from '@lingui/core/macro';
import type { AnswerOf } from '../api/call.ts';

/** One act of the log. */
export type AuditLogEntry = AnswerOf<'GET /audit-log'>['entries'][number];

/** What to filter by: a group of acts, as the service takes it. */
export const ACT_GROUPS = [
  { value: 'sign_in.*', label: t`Sign-ins` },
  { value: 'password.*', label: t`Passwords` },
  { value: 'session.*', label: t`Sign-outs elsewhere` },
  { value: 'api_key.*', label: t`API keys` },
  { value: 'connection.*', label: t`Connected apps` },
  { value: 'guardian.*', label: t`Decisions` },
  { value: 'guardian_settings.*', label: t`Protection` },
  { value: 'visibility.*', label: t`Visibility` },
  { value: 'reflect_config.*', label: t`Reflection` },
  { value: 'boot_config.*', label: t`Boot settings` },
  { value: 'event_endpoint.*', label: t`Event endpoints` },
  { value: 'memories.*', label: t`Undo and exports` },
  { value: 'user.*', label: t`Users forgotten` },
  { value: 'space.*', label: t`Spaces` },
  { value: 'space_right.*', label: t`Rights in spaces` },
  { value: 'secrets.*', label: t`Secrets taken out` },
  { value: 'backup.*', label: t`Backups` },
  { value: 'agent.*', label: t`The agent itself` },
];

const WORDS: Readonly<Record<string, string>> = {
  'agent.created': t`The agent was made`,
  'agent.given': t`The agent was given to one more human`,
  'agent.plan_changed': t`The plan of the agent was changed`,
  'agent.renamed': t`The agent got another name`,
  'agent.taken': t`The agent was taken from a human`,
  'api_key.created': t`An API key was made`,
  'api_key.rotated': t`An API key was replaced`,
  'api_key.revoked': t`An API key was revoked`,
  'backup.downloaded': t`A backup was downloaded`,
  'backup.restored': t`A backup was restored`,
  'boot_config.changed': t`The boot settings were changed`,
  'connection.approved': t`An app was let in`,
  'connection.revoked': t`An app was shut out`,
  'event_endpoint.created': t`An event endpoint was added`,
  'event_endpoint.deleted': t`An event endpoint was deleted`,
  'event_endpoint.secret_rotated': t`The secret of an event endpoint was replaced`,
  'event_endpoint.updated': t`An event endpoint was changed`,
  'guardian.approved': t`A protected change was approved`,
  'guardian.rejected': t`A protected change was rejected`,
  'guardian_settings.changed': t`The protection was changed`,
  'memories.exported': t`All memories were exported`,
  'memories.undone': t`What a source wrote was undone`,
  'password.changed': t`The password was changed`,
  'reflect_config.changed': t`The reflection settings were changed`,
  'secrets.scrubbed': t`Stored texts were searched for secrets`,
  'session.ended': t`Other browsers were signed out`,
  'sign_in.failed': t`A sign-in failed`,
  'sign_in.succeeded': t`Somebody signed in`,
  'space.created': t`A space was made`,
  'space.deleted': t`A space was deleted`,
  'space.renamed': t`A space got another name`,
  'space_right.given': t`An agent got a right in a space`,
  'space_right.taken': t`An agent was taken out of a space`,
  'user.forgotten': t`A user was forgotten`,
  'visibility.changed': t`What you see was changed`,
};

/** Says what was done; an act of a newer service by its name. */
export function wordsOf({ act }: AuditLogEntry): string {
  return WORDS[act] ?? act;
}

const WHO: Readonly<Record<string, string>> = {
  agent: t`your agent`,
  human: t`you`,
  operator: t`whoever runs the service`,
  service: t`the service itself`,
  visitor: t`a visitor`,
  sync: t`a sync`,
  import: t`an import`,
  webhook: t`a compaction`,
  reflection: t`a reflection`,
};

/** Says who did it. */
export function authorOf({ by }: AuditLogEntry): string {
  return WHO[by.kind] ?? by.kind;
}

/** What an act touched, by the names that the service has for it. */
export function detailsOf({ touched }: AuditLogEntry): readonly (readonly [name: string, value: string])[] {
  return Object.entries(touched).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? '–'),
  ]);
}
