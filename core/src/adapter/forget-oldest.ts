/** Forgets what was put first of more than so many: what a process remembers of conversations must not grow for as long as it lives. */
export function forgetOldest(remembered: Map<unknown, unknown> | Set<unknown>, most: number): void {
  for (const oldest of remembered.keys()) {
    if (remembered.size <= most) return;
    remembered.delete(oldest);
  }
}
