import type { Span } from './span.ts';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
// What is left of a key whose end is missing: lines of its body.
const BODY =
  /(?:\s{0,8}[>|*#]{0,3}[ \t]{0,8}(?:[A-Za-z0-9+/]{16,200}={0,2}|[A-Za-z-]{4,20}: [^\n]{1,120}))*/y;
const PUTTY = /Private-Lines: ?\d{1,4}\s{1,4}(?=[A-Za-z0-9+/])/g;

const LONGEST = 32_768;

/** Private keys as PEM, OpenSSH, PGP and PuTTY write them, whole or cut. */
export function findPrivateKeys(text: string): Span[] {
  if (!text.includes('-----BEGIN ') && !text.includes('Private-Lines')) return [];
  const ends = [...text.matchAll(END)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
  const begins = [...text.matchAll(BEGIN)];
  const spans: Span[] = [];
  let next = 0;
  let from = 0;
  for (const [number, { 0: found, index }] of begins.entries()) {
    if (index < from) continue;
    const body = index + found.length;
    while ((ends[next]?.start ?? text.length) < body) next += 1;
    const end = ends[next];
    const limit = Math.min(begins[number + 1]?.index ?? text.length, body + LONGEST);
    from = end && end.start < limit ? end.end : bodyEnd(text, body);
    spans.push({ start: index, end: from, kind: 'private-key' });
  }
  from = 0;
  for (const { 0: found, index } of text.matchAll(PUTTY)) {
    const start = index + found.length;
    if (start < from) continue;
    from = bodyEnd(text, start);
    spans.push({ start, end: from, kind: 'private-key' });
  }
  return spans;
}

function bodyEnd(text: string, start: number): number {
  BODY.lastIndex = start;
  return start + (BODY.exec(text)?.[0].length ?? 0);
}
