import { SvcError } from '../../kernel/contract/errors.ts';
import type { Category } from '../../kernel/contract/fields.ts';
import { firstCharacters } from '../../text/truncate.ts';
import { hasUnseen } from '../../text/unseen.ts';
import { splitDocument } from './split-document.ts';

/** A file as the caller sent it. */
interface CoreFile {
  readonly path: string;
  readonly content: string;
}

/** A section of a core file, which becomes one memory. */
export interface CoreSection {
  readonly path: string;
  readonly key: string;
  readonly category: Category;
  readonly content: string;
}

/** Words in file names and headings, and the category each means. The categories' own names, and those that agents use. */
const CATEGORY_OF: Readonly<Record<string, Category>> = {
  soul: 'soul',
  values: 'soul',
  identity: 'identity',
  persona: 'identity',
  relationship: 'relationship',
  relationships: 'relationship',
  user: 'relationship',
  human: 'relationship',
  people: 'relationship',
  operations: 'operations',
  agents: 'operations',
  agent: 'operations',
  claude: 'operations',
  gemini: 'operations',
  rules: 'operations',
  tools: 'tools',
  routine: 'routine',
  routines: 'routine',
  heartbeat: 'routine',
  reorient: 'reorient',
  orientation: 'reorient',
  bootstrap: 'reorient',
  accounts: 'accounts',
};

const KEY_PREFIX = 'core:';
const FILE_NAME_CHARACTERS = 120;
const HEADING = /^ {0,3}(#{1,6})[ \t]+([^\r\n]*)/;
const NAMES = 'soul, identity, relationships, operations, tools, routine, reorient or accounts';

/** The key of a file's first section; those of the others begin with it and `#`. */
export function fileKey(path: string): string {
  return `${KEY_PREFIX}${fileName(path).toLowerCase()}`;
}

/**
 * Splits core files into sections. A name such as `SOUL.md` decides for all sections of its file; elsewhere a heading
 * such as `# Soul` decides for what stands under it.
 *
 * @throws SvcError `VALIDATION_ERROR` naming the files whose name, or whose path in the call, cannot be used, and the
 *   sections that belong to no category.
 */
export async function toCoreSections(files: readonly CoreFile[]): Promise<CoreSection[]> {
  const details = [...repeatedNames(files)];
  const sections: CoreSection[] = [];
  for (const [index, file] of files.entries()) {
    const read = await readFile(file);
    if (read.problem !== undefined)
      details.push({ path: `files.${index}.${read.problem.field}`, message: read.problem.message });
    sections.push(...read.sections);
  }
  if (details.length > 0) {
    const message = details.map((issue) => `${issue.path}: ${issue.message}`).join('; ');
    throw new SvcError('VALIDATION_ERROR', message, { details });
  }
  return sections;
}

interface Read {
  readonly sections: readonly CoreSection[];
  readonly problem?: { readonly field: 'path' | 'content'; readonly message: string };
}

async function readFile({ path, content }: CoreFile): Promise<Read> {
  const name = fileName(path);
  if (name === '' || name.length > FILE_NAME_CHARACTERS || name.includes('#') || hasUnseen(name)) {
    return {
      sections: [],
      problem: {
        field: 'path',
        message: `must end in a file name such as SOUL.md, of at most ${FILE_NAME_CHARACTERS} characters, without # and characters that cannot be seen`,
      },
    };
  }
  const named = categoryIn(name.replace(/\.[^.]*$/, ''));
  const parts = await (named ? splitDocument(content) : splitDocument(content, [], 0));
  const sections: CoreSection[] = [];
  // What the headings above a section say: one entry for each level that is open.
  let open: { readonly level: number; readonly category: Category | undefined }[] = [];
  for (const { slug, text } of parts) {
    const [, marks = '', title = ''] = HEADING.exec(text) ?? [];
    if (marks !== '') {
      open = open.filter(({ level }) => level < marks.length);
      open.push({ level: marks.length, category: categoryIn(title) ?? open.at(-1)?.category });
    }
    if (isBare(text)) continue;
    const category = named ?? open.at(-1)?.category;
    if (!category) {
      const where =
        title === '' ? 'its beginning' : `the section ${JSON.stringify(firstCharacters(title.trim(), 80))}`;
      return {
        sections: [],
        problem: {
          field: 'content',
          message: `${where} belongs to no category: name the file after one (SOUL.md, TOOLS.md ...) or put it under a heading such as "# Soul"; categories are ${NAMES}`,
        },
      };
    }
    sections.push({
      path,
      key: slug === undefined ? fileKey(path) : `${fileKey(path)}#${slug}`,
      category,
      content: text,
    });
  }
  if (sections.length > 0) return { sections };
  return { sections: [], problem: { field: 'content', message: 'holds no text under its headings' } };
}

/** The category that the name of a file means, such as `SOUL.md`; undefined for most files. */
export function categoryOfFile(path: string): Category | undefined {
  return categoryIn(fileName(path).replace(/\.[^.]*$/, ''));
}

/** True for a section that is nothing but its heading. */
function isBare(text: string): boolean {
  const [heading = ''] = HEADING.exec(text) ?? [];
  return text.slice(heading.length).trim() === '';
}

/** The category a name means: as a whole, or by its only word that means one. */
function categoryIn(name: string): Category | undefined {
  const words =
    name
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = new Set(
    words.flatMap((word) => (Object.hasOwn(CATEGORY_OF, word) ? [CATEGORY_OF[word]] : [])),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1)?.normalize('NFC').trim() ?? '';
}

function* repeatedNames(files: readonly CoreFile[]) {
  const first = new Map<string, number>();
  for (const [index, { path }] of files.entries()) {
    const key = fileKey(path);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    else yield { path: `files.${index}.path`, message: `has the same file name as files.${earlier}.path` };
  }
}
