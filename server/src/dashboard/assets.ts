import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** The built dashboard. */
export interface DashboardAssets {
  /** Folder of the files that a browser loads. */
  readonly folder: string;
  /** The page that loads them; each answer replaces `{{nonce}}` by its own. */
  readonly html: string;
  /** Paths at which the page is opened, as Express takes them: `/memories/:id`. */
  readonly paths: readonly string[];
}

/** Finds the built dashboard; undefined where it is not built. */
export function findDashboard(): DashboardAssets | undefined {
  const { resolve } = createRequire(import.meta.url);
  let page: string;
  try {
    page = resolve('@svc-memory/dashboard/dist/index.html');
  } catch {
    return undefined;
  }
  const pages: Record<string, string> = JSON.parse(
    readFileSync(resolve('@svc-memory/dashboard/pages.json'), 'utf8'),
  );
  return { folder: dirname(page), html: readFileSync(page, 'utf8'), paths: Object.values(pages) };
}
