import type { AgentMemory } from '@svc-memory/core';
import { seeded } from '../bench/corpus.ts';
import { readOptions, wholeNumber } from '../kit/options.ts';
import { cover } from './coverage.ts';
import { readDataset } from './dataset.ts';
import { openEngine } from './open-engine.ts';
import { storeTurns } from './store-turns.ts';

const HELP = `npm run eval -- --boot [dataset.json] [--seeds <n,n>]

Measures what a boot of 600, 1,500 and 4,000 tokens holds, without a hint. Without a data set, of made-up agents with a
year of memories each: daily stand-ups, incidents, decisions, rules, preferences, notes that were imported, repeated facts,
work in hand, dates overdue and ahead.

important   share of the memories that the agent gave an importance of 0.8 or more
overdue     share of the dates that are overdue
needed      share of what the next session's questions need
guide       share of the boots that hold the orientation guide without a cut

With a data set, as npm run eval -- --help describes it: words of the answers, whole answers, and quoted evidence.
`;

type NewMemory = Parameters<AgentMemory['rememberBatch']>[0]['memories'][number];

const BUDGETS = [600, 1500, 4000];
const DAY_MS = 86_400_000;
const NOW = new Date('2026-03-02T09:00:00Z');

/** A memory or date of a made-up agent. */
interface Fact {
  /** A word that only this fact holds. */
  readonly word: string;
  readonly important: boolean;
  readonly overdue: boolean;
  /** Whether a question of the next session is about it. */
  readonly needed: boolean;
}

/** Prints how much of what matters boots hold. */
export async function evaluateBoot(): Promise<void> {
  const { path, seeds } = readOptions(
    {
      command: 'eval',
      help: HELP,
      options: { boot: { type: 'boolean' }, seeds: { type: 'string', default: '1,2,3' } },
      takesFiles: true,
    },
    (values, [path]) => ({
      path,
      seeds: values.seeds.split(',').map((seed) => wholeNumber('seeds', seed, 0)),
    }),
  );
  const engine = await openEngine({ clock: () => NOW });
  const newTenant = async () => (await engine.tenants.create({ displayName: 'Boot', plan: 'local' })).id;
  try {
    const rows: Row[] = [];
    if (path) {
      for (const { turns, questions } of await readDataset(path)) {
        const memory = engine.agent(await newTenant());
        await storeTurns(memory, turns);
        const texts = new Map(turns.map(({ id, text }) => [id, text]));
        rows.push(
          ...(await bootsOf(memory, (injection) => {
            const coverages = questions.map(({ answer = '', evidence }) =>
              cover(
                injection,
                String(answer),
                evidence.flatMap((turn) => texts.get(turn) ?? []),
              ),
            );
            return {
              'answer words': mean(coverages.map(({ words }) => words)),
              'whole answers': mean(coverages.map(({ whole }) => whole)),
              evidence: mean(coverages.map(({ evidence: quoted }) => quoted)),
            };
          })),
        );
      }
    } else {
      for (const seed of seeds) {
        const tenantId = await newTenant();
        const memory = engine.agent(tenantId);
        const facts = await fillAgent(seed, {
          own: memory,
          imported: engine.agent(tenantId, { source: 'import', credentialId: null }),
        });
        await memory.boot();
        rows.push(...(await bootsOf(memory, (injection) => measure(injection, facts))));
      }
    }
    print(rows);
  } finally {
    await engine.close();
  }
}

interface Row {
  readonly budget: number;
  readonly shares: Readonly<Record<string, number>>;
}

async function bootsOf(memory: AgentMemory, measured: (injection: string) => Row['shares']): Promise<Row[]> {
  const rows: Row[] = [];
  for (const budget of BUDGETS) {
    const { injection } = await memory.previewBoot({ token_budget: budget });
    rows.push({ budget, shares: measured(injection) });
  }
  return rows;
}

function measure(injection: string, facts: readonly Fact[]): Row['shares'] {
  const share = (of: (fact: Fact) => boolean) =>
    mean(facts.filter(of).map(({ word }) => Number(injection.includes(word))));
  const guide = /key orientation[^\]]*\] (.*(\n {2}>.*)*)/.exec(injection)?.[1];
  return {
    important: share(({ important }) => important),
    overdue: share(({ overdue }) => overdue),
    needed: share(({ needed }) => needed),
    guide: Number(guide !== undefined && !guide.includes('[cut, ')),
  };
}

/** The memories of one agent: the same seed gives the same. */
async function fillAgent(
  seed: number,
  { own, imported }: { readonly own: AgentMemory; readonly imported: AgentMemory },
): Promise<readonly Fact[]> {
  const random = seeded(seed * 7_919);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const facts: Fact[] = [];
  let serial = 0;
  /** A name that no other fact holds. */
  const newWord = () => {
    serial += 1;
    return `${pick(SYLLABLES)}${pick(SYLLABLES)}${pick(SYLLABLES)}${serial}`;
  };
  const sentence = (words: number) => Array.from({ length: words }, () => pick(WORDS)).join(' ');
  const batches = new Map<AgentMemory, NewMemory[]>([
    [own, []],
    [imported, []],
  ]);
  const at = (daysAgo: number) =>
    new Date(NOW.getTime() - daysAgo * DAY_MS - random() * 3_600_000).toISOString();
  const note = (word: string, about: Partial<Fact>) =>
    facts.push({ word, important: false, overdue: false, needed: false, ...about });
  const add = (text: string, draft: Partial<NewMemory>, needed = false, by = own) => {
    const word = newWord();
    const content = `${text} ${sentence(6 + Math.floor(random() * 14))} ${word}.`;
    const importance = draft.importance ?? 0.5;
    batches.get(by)?.push({ type: 'semantic', content, tags: [], ...draft, importance } as NewMemory);
    note(word, { important: by === own && importance >= 0.8, needed });
  };
  const times = (count: number, make: (index: number) => void) =>
    Array.from({ length: count }, (_, index) => make(index));

  times(2, () => add('I value', { type: 'core', category: 'soul', importance: 0.9 }));
  times(2, () => add('I am', { type: 'core', category: 'identity', importance: 0.9 }));
  times(6, (n) =>
    add('I work with', { type: 'core', category: 'relationship', importance: n < 1 ? 0.9 : 0.5 }, n < 1),
  );
  times(10, (n) =>
    add('I always', { type: 'core', category: 'operations', importance: n < 2 ? 0.9 : 0.5 }, n < 2),
  );
  times(16, (n) =>
    add('State of', { type: 'working', importance: n < 3 ? 0.9 : 0.5, occurred_at: at(n) }, n < 5),
  );
  for (let day = 360; day > 0; day -= 1) {
    if (day % 7 < 5) add('Stand-up:', { type: 'episodic', importance: 0.1, occurred_at: at(day) });
    if (random() < 0.3) {
      add('We talked about', { type: 'episodic', occurred_at: at(day) }, day < 6);
    }
  }
  times(14, (n) =>
    add('Incident:', { type: 'episodic', importance: 1, occurred_at: at(8 + n * 24) }, n % 4 === 0),
  );
  times(12, (n) =>
    add('We decided:', { type: 'episodic', importance: 0.8, occurred_at: at(2 + n * 25) }, n % 3 === 0),
  );
  times(14, (n) =>
    add('CRITICAL:', { importance: n % 2 ? 0.9 : 1, occurred_at: at(5 + n * 25) }, n % 2 === 0),
  );
  times(15, (n) => add('My human prefers', { importance: 0.6, occurred_at: at(n * 20) }, n < 4));
  times(150, (n) => add('It is known that', { occurred_at: at(random() * 350) }, n < 6));
  times(120, (n) =>
    add(
      'Note:',
      { importance: pick([0.5, 0.5, 0.7, 0.9, 1]), occurred_at: at(random() * 30) },
      n < 3,
      imported,
    ),
  );
  times(4, () => {
    const word = newWord();
    const text = `As said before, ${sentence(10)} ${word}`;
    times(4, (n) =>
      batches.get(own)?.push({
        type: 'semantic',
        content: n % 2 ? `${text}!` : `${text}.`,
        tags: [],
        importance: 0.5,
        occurred_at: at(20 + 40 * n),
      } as NewMemory),
    );
    note(word, { needed: true });
  });

  for (const [memory, drafts] of batches) {
    for (let start = 0; start < drafts.length; start += 200) {
      await memory.rememberBatch({ memories: drafts.slice(start, start + 200) });
    }
  }
  const schedule = async (days: number, about: Partial<Fact>) => {
    const word = newWord();
    const due_at = new Date(NOW.getTime() + days * DAY_MS).toISOString();
    await own.createScheduleItem({ title: `Deliver ${sentence(5)} ${word}`, note: sentence(12), due_at });
    note(word, about);
  };
  for (const days of [-1, -9, -40]) await schedule(days, { overdue: true, needed: true });
  for (const days of [0.3, 1, 3, 5]) await schedule(days, { needed: true });
  for (let days = 8; days < 60; days += 4) await schedule(days, {});
  for (let n = 0; n < 5; n += 1) {
    const word = newWord();
    await own.createWipItem({ title: `Finish ${sentence(5)} ${word}` });
    note(word, { needed: n > 2 });
  }
  return facts;
}

const SYLLABLES = 'Ka Lo Mi Ren Sa To Vel Du Na Pe Rio Shu Tan Bel Gor Fin Mar Zo Li Cas'.split(' ');
const WORDS =
  `garden invoice server concert recipe bicycle contract kitchen deadline database workshop guitar passport
  window budget release library marathon photograph meeting sensor notebook harbour vaccine railway curtain novel ticket
  battery orchard keyboard mortgage lecture compass blanket prototype festival bakery telescope red quiet urgent broken
  cheap early private heavy gentle wooden weekly shared final local cold public narrow careful bright digital yearly simple
  salty modern remote started finished reviewed postponed liked cancelled planned fixed explained bought painted repaired
  translated measured cooked visited described taught recorded tested signed shipped rented watched sold rain money family
  noise weather health travel safety taste habit music traffic sleep before after without towards because although`.split(
    /\s+/,
  );

function print(rows: readonly Row[]): void {
  const names = Object.keys(rows[0]?.shares ?? {});
  process.stdout.write(`${['tokens', ...names].map((name) => name.padStart(14)).join('')}\n`);
  for (const budget of BUDGETS) {
    const of = rows.filter((row) => row.budget === budget);
    const cells = names.map((name) => mean(of.map(({ shares }) => shares[name] ?? 0)).toFixed(3));
    process.stdout.write(`${[String(budget), ...cells].map((cell) => cell.padStart(14)).join('')}\n`);
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
