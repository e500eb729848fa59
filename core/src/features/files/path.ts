import {
  CATEGORIES,
  type Category,
  characterCount,
  LIMITS,
  type MemoryType,
} from '../../kernel/contract/fields.ts';
import { firstUnseen } from '../../text/unseen.ts';

/** The folder that holds all files. */
export const ROOT = '/memories';
const KEY_PREFIX = 'files/';
const MOST_NAMES = 16;

/** What becomes of a file by the folder it is in. */
interface MemoryKind {
  readonly type: MemoryType;
  readonly category?: Category;
}

const SPECIAL_FOLDERS: readonly string[] = [...CATEGORIES, 'working', 'episodic'];

/**
 * What kind of memory a file at this path is. Below `/memories/identity` and the other categories it is a core memory,
 * below `/memories/working` and `/memories/episodic` a memory of that type, elsewhere a semantic one.
 */
export function kindOfPath(path: string): MemoryKind {
  const [folder = '', ...rest] = namesOf(path);
  if (rest.length === 0) return { type: 'semantic' };
  const category = CATEGORIES.find((name) => name === folder);
  if (category) return { type: 'core', category };
  return { type: folder === 'working' || folder === 'episodic' ? folder : 'semantic' };
}

/** The names of a path below `/memories`. */
export function namesOf(path: string): string[] {
  return path
    .slice(ROOT.length + 1)
    .split('/')
    .filter((name) => name !== '');
}

/** The key of the memory that is the file at a path. */
export function keyOf(path: string): string {
  return KEY_PREFIX + path.slice(ROOT.length + 1);
}

/** The path of the file that a memory with this key is; undefined where the key is none of a file. */
export function pathOfKey(key: string): string | undefined {
  if (!key.startsWith(KEY_PREFIX)) return undefined;
  const path = `${ROOT}/${key.slice(KEY_PREFIX.length)}`;
  return pathProblem(path) === undefined && !path.endsWith('/') ? path : undefined;
}

/** The folders a path is in, from the outermost: of `/memories/a/b.md` it is `/memories/a`. */
export function foldersOf(path: string): string[] {
  const names = namesOf(path).slice(0, -1);
  return names.map((_, index) => [ROOT, ...names.slice(0, index + 1)].join('/'));
}

/** The same for names that some file systems take for one: they differ in letter case only. */
export function foldCase(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase();
}

/** What is wrong with a path, if anything. A slash at its end is right: it says that a folder is meant. */
export function pathProblem(path: string): string | undefined {
  if (path !== ROOT && !path.startsWith(`${ROOT}/`)) {
    return `must be ${ROOT}, or a path below it such as ${ROOT}/notes.md`;
  }
  if (path.includes('\\')) return 'must not contain a backslash: names are separated by /';
  if (path.includes('//')) return 'must not contain an empty name (//)';
  const names = namesOf(path);
  if (names.length > MOST_NAMES) return `must be at most ${MOST_NAMES} names deep`;
  if (characterCount(keyOf(path)) > LIMITS.keyCharacters) {
    return `must be at most ${LIMITS.keyCharacters - KEY_PREFIX.length + ROOT.length + 1} characters`;
  }
  for (const name of names) {
    const problem = nameProblem(name);
    if (problem !== undefined) return `${problem} (here ${JSON.stringify(name)})`;
  }
  return namesake(names[0]);
}

// What Windows does not take in a name, where it means a device whatever follows it.
const FORBIDDEN = /[<>:"|?*]/;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
// Letters that look like Latin ones, in a word of Latin letters.
const LOOK_ALIKES =
  /\p{Script=Latin}[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]|[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}][\p{L}\p{M}]*\p{Script=Latin}/u;

/** Whether a name can be the name of a file on every system, and is the one it looks like. */
function nameProblem(name: string): string | undefined {
  if (name === '.' || name === '..') return 'must not lead elsewhere by . or ..';
  if (name.startsWith('.')) return 'must not contain hidden names, which begin with a dot';
  if (name === 'node_modules') return 'must not contain node_modules, which no listing shows';
  if (!name.isWellFormed()) return 'must not contain unpaired surrogates';
  if (/\p{Cc}/u.test(name)) return 'must not contain control characters';
  const unseen = firstUnseen(name);
  if (unseen !== undefined) return `must not contain characters that cannot be seen, such as ${unseen}`;
  if (/%[0-9a-f]{2}/i.test(name)) return 'must not be percent-encoded: write the characters themselves';
  if (name !== name.normalize('NFC') || /(?! )\p{Zs}/u.test(name)) {
    return 'must be composed (NFC), and have no other spaces than plain ones';
  }
  if (/^ |[ .]$/.test(name))
    return 'must not contain names that begin or end with a space, or end with a dot';
  if (FORBIDDEN.test(name)) return 'must not contain < > : " | ? *, which some systems refuse';
  if (DEVICE.test(name)) return 'must not contain the name of a device of Windows';
  if (LOOK_ALIKES.test(name)) return 'must not mix Latin letters with those of another script in one word';
  return undefined;
}

/** Names that pass for a folder of core memories without being it. */
function namesake(name = ''): string | undefined {
  const looks = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i').trim();
  if (name === looks || !SPECIAL_FOLDERS.includes(looks)) return undefined;
  return `looks like ${ROOT}/${looks}; use that, or another name (here ${JSON.stringify(name)})`;
}
