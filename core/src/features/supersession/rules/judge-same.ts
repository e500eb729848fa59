import { isCode } from '../fact/split-pieces.ts';
import { words } from '../fact/word-groups.ts';

/** Words without which a sentence says the same. */
const FILLERS = words(
  'a an the that just really very please so der die das ein eine el la los las un una le les une',
);
/** Nouns after which a name follows that machines compare letter by letter. */
const IDENTIFIER_NOUNS = words(`
  branch file folder directory path user username login password passphrase code token key host hostname domain repo repository
  channel variable env command flag tag table column bucket id handle package module function class constant
  datei ordner pfad benutzer passwort kennwort schlussel befehl archivo carpeta ruta usuario contrasena clave comando
  fichier dossier chemin utilisateur commande
`);
/** Words between such a noun and the name: "the password is ...". */
const LINKS = words('is was now called named name to ist heisst es se llama est of for');
const OPENING = /^["'“‘«「(*_]+/u;
const CLOSING = new Set('.,;:!?。、，；：！？…"\'”’»」)*_');
/** Fences, indented lines and tables: there, a space or a capital may be the code. */
const LAID_OUT = /```|~~~|^(?: {4}|\t|\|)/m;
const CAPITALS = /^\p{Lu}{2,}$/u;
/** What may be a unit behind a number, where a capital is another one: "5 Mb", "5 MB", "5 m", "5 M". */
const UNIT = /^\p{L}{1,3}$/u;
const NO_UNIT = /^(?:at|in|to|of|on|by|or|is|and|per|for|und|y|et|e)$/i;
/** "-r" and "-R" are two options. */
const OPTION = /^-+\p{L}/u;
/** Beyond this, only spaces and the end may differ. */
const LONGEST_READ = 4_000;

interface Word {
  readonly text: string;
  /** Compared letter by letter. */
  readonly exact: boolean;
}

/**
 * Whether two texts are the same said again: the same words in the same order but for case, spaces, articles and the
 * punctuation between them. Case counts where it carries meaning: in addresses, paths, code and names of identifiers.
 */
export function judgeSame(one: string, other: string): 'same' | 'different' {
  const [a, b] = [plain(one), plain(other)];
  if (a === b) return 'same';
  const isLong = Math.max(a.length, b.length) > LONGEST_READ;
  const areSame = isLong ? bare(a) === bare(b) : asks(a) === asks(b) && haveSameWords(a, b);
  // Last, as next to none come so far.
  return areSame && !LAID_OUT.test(a) && !LAID_OUT.test(b) ? 'same' : 'different';
}

/** With one sign for the apostrophe, which keyboards and word processors write differently. */
function plain(text: string): string {
  return text.normalize('NFC').replace(/[‘’]/g, "'").trim();
}

/** Reads both only as far as they say the same: of those that share some words most differ in the first ones. */
function haveSameWords(a: string, b: string): boolean {
  const shouts = () => isShouted(a) || isShouted(b);
  const theirs = readWords(b);
  let holdsAny = false;
  for (const word of readWords(a)) {
    if (!isSame(word, theirs.next().value, shouts)) return false;
    holdsAny = true;
  }
  return holdsAny && theirs.next().done === true;
}

function bare(text: string): string {
  return stripEnd(text.replace(/\s+/g, ' '));
}

function asks(text: string): boolean {
  return /[?？]/.test(text.slice(-3));
}

/** Written in capitals as a whole, so that they say nothing of a single word. */
function isShouted(text: string): boolean {
  return text.includes(' ') && !/\p{Ll}/u.test(text) && /\p{Lu}/u.test(text);
}

function isSame(word: Word, other: Word | undefined, shouts: () => boolean): boolean {
  if (!other) return false;
  if (word.text === other.text) return true;
  if (word.exact || other.exact || word.text.toLowerCase() !== other.text.toLowerCase()) return false;
  // "US" and "us" are two words.
  return shouts() || CAPITALS.test(word.text) === CAPITALS.test(other.text);
}

function* readWords(text: string): Generator<Word, undefined> {
  let isFirst = true;
  let follows = false;
  let isCounted = false;
  for (const [run] of text.matchAll(/\S+/g)) {
    const bared = run.replace(OPENING, '');
    const said = stripEnd(bared);
    if (said === '') {
      // A mark by itself, such as a dash or an arrow.
      if (!/^[.,;:!…]+$/.test(run)) {
        yield { text: run, exact: true };
        isFirst = false;
      }
      continue;
    }
    // Inside a sentence a capital makes it part of a name: "La Paz".
    const isFiller = FILLERS.has(said) || (isFirst && FILLERS.has(said.toLowerCase()));
    if (isFiller && !follows) continue;
    const isUnit = isCounted && UNIT.test(said) && !NO_UNIT.test(said);
    const exact = follows || isUnit || OPTION.test(said) || isCode(said) || /[=<>{}$%^&|+`]/.test(said);
    yield { text: said, exact };
    isFirst = false;
    isCounted = /^\p{N}[\p{N}.,]*$/u.test(said);
    const lower = said.toLowerCase();
    follows = IDENTIFIER_NOUNS.has(lower) || (follows && LINKS.has(lower));
  }
  return undefined;
}

/** By hand: a regular expression takes quadratic time for a long run of marks. */
function stripEnd(run: string): string {
  let end = run.length;
  while (end > 0 && CLOSING.has(run.charAt(end - 1))) end -= 1;
  return run.slice(0, end);
}
