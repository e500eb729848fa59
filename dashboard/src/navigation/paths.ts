/** Paths of the pages that other pages link to. Every other path stands in the entry of its page. */
export const PATHS = {
  overview: '/',
  memories: '/memories',
  memory: '/memories/:id',
  guardian: '/guardian',
  boot: '/boot',
  visibility: '/visibility',
  settings: '/settings',
  signIn: '/sign-in',
  signUp: '/sign-up',
  forgotPassword: '/forgot-password',
} as const;

/** The path of one memory's page. */
export const memoryPath = (id: string) => PATHS.memory.replace(':id', id);
