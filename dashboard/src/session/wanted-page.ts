const WANTED = 'svc-wanted-page';

/** Remembers the page that a visitor of this tab wanted, for a sign-in that leads away from it: to a provider, and back. */
export function rememberWantedPage(path: string): void {
  sessionStorage.setItem(WANTED, path);
}

/** Returns the page that was wanted. */
export function wantedPage(): string | undefined {
  return ownPath(sessionStorage.getItem(WANTED) ?? '');
}

/** Returns a path where it is one of this site, as the browser reads it: it leaves out tabs, and takes `\\` for `/`. */
export function ownPath(path: string): string | undefined {
  const { origin } = window.location;
  return path.startsWith('/') && URL.canParse(path, origin) && new URL(path, origin).origin === origin
    ? path
    : undefined;
}

/** Forgets it: the human has arrived. */
export function forgetWantedPage(): void {
  sessionStorage.removeItem(WANTED);
}
