/** What the user of `SVC_REDIS_URL` may do, as `ACL SETUSER` takes it: the service's own keys and channels, nothing that rules Redis. */
const REDIS_RIGHTS = '~svc:* &svc:* +@all -@admin -@dangerous +info';

/** What to do where Redis refuses a command to the user of the service. */
export const RIGHTS_FIX = `Give the user in SVC_REDIS_URL its rights: ACL SETUSER <user> ${REDIS_RIGHTS}`;

/** A message about what Redis failed with, and what to do where rights are missing. */
export function withRightsFix(message: string, error: unknown): string {
  return error instanceof Error && /\bNOPERM\b/.test(error.message) ? `${message}. ${RIGHTS_FIX}` : message;
}
