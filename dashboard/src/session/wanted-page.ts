const WANTED = 'svc-wanted-page';

/** Remembers the page that a visitor of this tab wanted, for a sign-in that leads away from it: to a provider, and back. */
export function rememberWantedPage(path: string): void {
  sessionStorage.setItem(WANTED, path);
}

/** Returns the page that was wanted. Only paths of this site are accepted. */
export function wantedPage(): string | undefined {
  const path = sessionStorage.getItem(WANTED) ?? '';
  return /^\/(?![/\\])/.test(path) ? path : undefined;
}

/** Forgets it: the human has arrived. */
export function forgetWantedPage(): void {
  sessionStorage.removeItem(WANTED);
}
