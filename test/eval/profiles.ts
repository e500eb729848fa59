import type { AgentMemory } from '@svc-memory/core';
import { readOptions } from '../kit/options.ts';
import { openEngine } from './open-engine.ts';
import { readLines } from './read-lines.ts';

const HELP = `npm run eval -- --profiles [options]

Measures what a recall without any options answers of somebody whose facts change, with the profiles of test/eval/profiles:
12 to 16 facts each about one person, team or project, in the order they were told, and eight questions.

  --held       the profiles that nothing was chosen with; without it, those that rules were made with
  --list       the questions whose first result is another one, with both
  --help       this text

answer first     the memory that answers now is the first result
found            it is among the results
outdated first   the first result is one that no longer holds
outdated shown   one that no longer holds is among the results, and nothing beside it says that it is superseded or in doubt
held in doubt    the memory that answers is told to be superseded or in doubt

And when they are stored: how many facts took the place of the one that they were to replace, how many of another, and how
many were told to contradict another that they go beside.
`;

interface Profile {
  readonly id: string;
  readonly lang: string;
  readonly memories: readonly { readonly at: string; readonly text: string }[];
  readonly questions: readonly Question[];
}

interface Question {
  readonly q: string;
  /** The place of the memory that answers. */
  readonly answer: number;
  /** The places of those that answered before. */
  readonly stale: readonly number[];
}

const MEASURES = ['answer first', 'found', 'outdated first', 'outdated shown', 'held in doubt'] as const;
type Outcome = Readonly<Record<(typeof MEASURES)[number], boolean>>;

interface Asked {
  readonly profile: Profile;
  readonly question: Question;
  readonly outcome: Outcome;
  /** What came first; undefined where nothing was found. */
  readonly first: string | undefined;
}

/** What storing the facts of a profile told. */
interface Replaced {
  /** Facts that take the place of others, as the questions have it. */
  readonly pairs: number;
  readonly rightly: number;
  readonly wrongly: number;
  readonly contradicted: number;
}

/** Prints what is recalled of people whose facts change. */
export async function evaluateProfiles(): Promise<void> {
  const values = readOptions(
    {
      command: 'eval',
      help: HELP,
      options: {
        profiles: { type: 'boolean' },
        held: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
      },
    },
    (values) => values,
  );
  let now = new Date();
  const engine = await openEngine({ clock: () => now });
  const asked: Asked[] = [];
  const replaced: Replaced[] = [];
  try {
    for (const profile of readLines<Profile>(`profiles/${values.held ? 'held' : 'dev'}.jsonl`)) {
      const { id } = await engine.tenants.create({ displayName: profile.id, plan: 'local' });
      const memory = engine.agent(id);
      const stored = await store(memory, profile, (at) => {
        now = new Date(Date.parse(at) + 60_000);
      });
      replaced.push(stored.replaced);
      asked.push(...(await ask(memory, profile, stored.ids)));
    }
  } finally {
    await engine.close();
  }
  report(asked);
  const sum = (of: keyof Replaced) => replaced.reduce((total, one) => total + one[of], 0);
  process.stdout.write(
    `replaced ${sum('rightly')} of ${sum('pairs')} that were to be, and ${sum('wrongly')} others; ${sum('contradicted')} told to contradict what they go beside\n`,
  );
  if (values.list) list(asked);
}

async function store(memory: AgentMemory, profile: Profile, setClock: (at: string) => void) {
  const ids: string[] = [];
  const pairs = new Set(
    profile.questions.flatMap(({ answer, stale }) => stale.map((place) => `${place} ${answer}`)),
  );
  const replaced = { pairs: pairs.size, rightly: 0, wrongly: 0, contradicted: 0 };
  for (const { at, text } of profile.memories) {
    setClock(at);
    const stored = await memory.remember({ type: 'semantic', content: text, occurred_at: at });
    const isMeant = ({ id }: { id: string }) => pairs.has(`${ids.indexOf(id)} ${ids.length}`);
    const superseded = stored.superseded ?? [];
    replaced.rightly += superseded.filter(isMeant).length;
    replaced.wrongly += superseded.filter((one) => !isMeant(one)).length;
    replaced.contradicted += (stored.conflicts ?? []).filter((one) => !isMeant(one)).length;
    ids.push(stored.memory.id);
  }
  return { ids, replaced };
}

async function ask(memory: AgentMemory, profile: Profile, ids: readonly string[]): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const question of profile.questions) {
    const { results } = await memory.recall({ query: question.q });
    const answer = results.find(({ id }) => id === ids[question.answer]);
    const outdated = results.filter(({ id }) => question.stale.some((place) => ids[place] === id));
    const isMarked = (one: (typeof results)[number]) => Boolean(one.superseded_by ?? one.conflicts_with);
    const [first] = results;
    asked.push({
      profile,
      question,
      first: first?.content,
      outcome: {
        'answer first': first !== undefined && first === answer,
        found: answer !== undefined,
        'outdated first': outdated.some((one) => one === first),
        'outdated shown': outdated.some((one) => !isMarked(one)),
        'held in doubt': answer !== undefined && isMarked(answer),
      },
    });
  }
  return asked;
}

function report(asked: readonly Asked[]): void {
  const rows = (name: string, is: (one: Asked) => boolean) => ({ name, some: asked.filter(is) });
  const languages = [...new Set(asked.map(({ profile }) => profile.lang))];
  const kinds = [
    rows('what never changed', ({ question }) => question.stale.length === 0),
    rows('what changed', ({ question }) => question.stale.length > 0),
    ...languages.map((lang) => rows(lang, ({ profile }) => profile.lang === lang)),
    rows('all', () => true),
  ];
  print(['', 'questions', ...MEASURES]);
  for (const { name, some } of kinds) {
    const share = (measure: keyof Outcome) =>
      `${((100 * some.filter(({ outcome }) => outcome[measure]).length) / some.length).toFixed(1)} %`;
    print([name, String(some.length), ...MEASURES.map(share)]);
  }
}

function list(asked: readonly Asked[]): void {
  for (const { profile, question, first, outcome } of asked) {
    if (outcome['answer first']) continue;
    const answer = profile.memories[question.answer]?.text;
    process.stdout.write(
      `${profile.id} ${question.q}\n  asked for: ${answer}\n  first:     ${first ?? 'nothing'}\n`,
    );
  }
}

function print([name = '', ...cells]: readonly string[]): void {
  process.stdout.write(`${name.padEnd(22)}${cells.map((cell) => cell.padStart(16)).join('')}\n`);
}
