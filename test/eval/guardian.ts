import { readFileSync } from 'node:fs';
import { compareMeaning } from '../../core/src/features/guardian/meaning/compare.ts';
import { readOptions } from '../kit/options.ts';

const HELP = `What the Guardian would apply without the human, of edits whose meaning is known.

  npm run eval:guardian -- [options] [FILE...]

  FILE      cases in the form of core/src/features/guardian/meaning/meaning-cases.json; default: all of the repository
  --list    names the cases that were judged wrongly
  --help    this text
`;

interface Cases {
  readonly changing: readonly { readonly name: string; readonly steps: readonly string[] }[];
  readonly harmless: readonly { readonly name: string; readonly before: string; readonly after: string }[];
}

const FOLDER = new URL('../../core/src/features/guardian/meaning/', import.meta.url);
const OWN = [
  'meaning-cases',
  'meaning-cases-held-out',
  'meaning-cases-adversary',
  'meaning-cases-final',
  'meaning-cases-outside',
  'meaning-cases-lists',
  'meaning-cases-layout',
  'meaning-cases-broad',
  'meaning-cases-broad-aside',
  'meaning-cases-reader',
  'meaning-cases-everyday',
  'meaning-cases-everyday-aside',
  'meaning-cases-forms',
  'meaning-cases-tongues',
  'meaning-cases-tongues-aside',
  'meaning-cases-writing',
  'meaning-cases-frequent',
  'meaning-cases-frequent-aside',
  'meaning-cases-beside',
];

const { list, files } = readOptions(
  { command: 'eval:guardian', help: HELP, options: { list: { type: 'boolean' } }, takesFiles: true },
  (values, files) => ({
    list: values.list,
    files: files.length > 0 ? files : OWN.map((name) => new URL(`${name}.json`, FOLDER)),
  }),
);
process.stdout.write(`${'cases'.padEnd(36)}${'meaning changed, applied'.padEnd(28)}harmless, applied\n`);
for (const file of files) report(file);

function report(file: string | URL): void {
  const { changing, harmless }: Cases = JSON.parse(readFileSync(file, 'utf8'));
  const isApplied = (before = '', after = '') => compareMeaning(before, after).concerns.length === 0;
  const slipped = changing.filter(({ steps }) => isApplied(steps[0], steps.at(-1)));
  const waiting = harmless.filter(({ before, after }) => !isApplied(before, after));
  const applied = harmless.length - waiting.length;
  const share = `${applied} of ${harmless.length} (${((100 * applied) / harmless.length).toFixed(1)} %)`;
  const name = String(file).split('/').at(-1) ?? '';
  process.stdout.write(
    `${name.padEnd(36)}${`${slipped.length} of ${changing.length}`.padEnd(28)}${harmless.length === 0 ? 'none' : share}\n`,
  );
  if (!list) return;
  for (const one of slipped) process.stdout.write(`  applied: ${one.name}\n`);
  for (const one of waiting) process.stdout.write(`  waits: ${one.name}\n`);
}
