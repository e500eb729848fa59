/** Paths of the pages that other pages link to. Every other path stands in the entry of its page. */
export const PATHS = {
  overview: '/',
  memories: '/memories',
  memory: '/memories/:id',
  agenda: '/agenda',
  recalls: '/recalls',
  people: '/people',
  guardian: '/guardian',
  distress: '/distress',
  boot: '/boot',
  undo: '/undo',
  visibility: '/visibility',
  settings: '/settings',
  signIn: '/sign-in',
  signUp: '/sign-up',
  forgotPassword: '/forgot-password',
} as const;

/** The path of one entry on the Guardian's page. */
export const entryPath = (id: string) => `${PATHS.guardian}#entry-${id}`;

/** The path of one memory's page. */
export const memoryPath = (id: string) => PATHS.memory.replace(':id', id);

/** The path of the page that takes back what one source wrote since a time. */
export function undoPath(asked: {
  readonly kind: string;
  readonly credential_id: string | null;
  readonly since: string;
}): string {
  const query = new URLSearchParams({ source: asked.kind, since: asked.since });
  if (asked.credential_id !== null) query.set('credential', asked.credential_id);
  return `${PATHS.undo}?${query}`;
}
