import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './kit/process.ts';

const LINK = /\]\(([^)\s]+)\)/g;
const ELSEWHERE = /^(https?|mailto):/;

/** The anchors of a document, as GitHub makes them of its headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return new Set(headings.map((one) => one.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')));
}

test('each link within the documents leads to a file, and to a heading of it', () => {
  const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  const read = (document: string) => readFileSync(join(ROOT, document), 'utf8');
  const links = documents.filter(Boolean).flatMap((document) =>
    [...read(document).matchAll(LINK)].map(([, link = '']) => {
      const [path = '', anchor] = link.split('#');
      return { from: document, link, target: path ? join(dirname(document), path) : document, anchor };
    }),
  );
  const within = links.filter(({ link }) => !ELSEWHERE.test(link));
  const dead = within.filter(({ target, anchor }) => {
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !anchorsOf(read(target)).has(anchor);
  });
  expect(within.length).toBeGreaterThan(20);
  expect(dead).toEqual([]);
});
