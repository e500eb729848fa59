import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES = ['data.noun', 'data.verb', 'data.adj', 'data.adv'];
/** In characters: shorter ones say little, longer ones take the encoder long. */
const SHORTEST = 20;
const LONGEST = 70;
const MOST = 14_000;

/** Definitions and examples of WordNet, evenly spread over it. */
export function readSentences(dict: string): string[] {
  const all = FILES.flatMap((file) => readFileSync(join(dict, file), 'utf8').split('\n'))
    .flatMap((line) => line.split(' | ')[1]?.split(/;\s*/) ?? [])
    .map((part) => part.replace(/["()]/g, '').trim())
    .filter(({ length }) => length >= SHORTEST && length <= LONGEST);
  const step = Math.max(1, all.length / MOST);
  return Array.from({ length: Math.min(MOST, all.length) }, (_, n) => all[Math.floor(n * step)] ?? '');
}
