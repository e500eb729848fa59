/** Paths of the pages that other pages link to. Every other path stands in the entry of its page. */
export const PATHS = {
  overview: '/',
  memories: '/memories',
  memory: '/memories/:id',
  agenda: '/agenda',
  recalls: '/recalls',
  people: '/people',
  spaces: '/spaces',
  space: '/spaces/:space',
  guardian: '/guardian',
  distress: '/distress',
  boot: '/boot',
  undo: '/undo',
  visibility: '/visibility',
  settings: '/settings',
  transfer: '/import-export',
  connect: '/connect',
  signIn: '/sign-in',
  signUp: '/sign-up',
  forgotPassword: '/forgot-password',
} as const;

/** The path of one entry on the Guardian's page. */
export const entryPath = (id: string) => `${PATHS.guardian}#entry-${id}`;

/**
 * The path of one memory's page. What is in a space is read there, whether the chosen agent is a member or not; what is a user's,
 * as that user's.
 */
export function memoryPath(id: string, space?: string, user?: string): string {
  const query = new URLSearchParams();
  if (space !== undefined) query.set('space', space);
  if (user !== undefined) query.set('user', user);
  const path = PATHS.memory.replace(':id', id);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The path of the page of what was asked for one user. */
export const recallsOfPath = (user: string) => `${PATHS.recalls}?${new URLSearchParams({ user })}`;

/** The path of one space's page. */
export const spacePath = (id: string) => PATHS.space.replace(':space', id);

/** What one source wrote, in a space that of one agent. */
interface Written {
  readonly kind: string;
  readonly credential_id?: string | null;
  readonly agent_id?: string | undefined;
  readonly since?: string;
}

/** The path of the page that takes back what one source wrote since a time. */
export function undoPath({ kind, credential_id, agent_id, since }: Written, space?: string): string {
  const query = new URLSearchParams({ source: kind });
  if (since !== undefined) query.set('since', since);
  // The keys of other agents, which write in a space too, are not shown.
  if (credential_id && space === undefined) query.set('credential', credential_id);
  if (space !== undefined) query.set('space', space);
  if (space !== undefined && agent_id !== undefined) query.set('agent', agent_id);
  return `${PATHS.undo}?${query}`;
}
