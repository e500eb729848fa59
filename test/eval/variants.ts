import { seeded } from '../bench/corpus.ts';
import type { Conversation, Question, Turn } from './dataset.ts';

/** Data made of other data, or by hand, for what no public data set has. The same for the same input. */

const COMMON = new Set(
  `a an the and or but of to in on at by for with from as is are was were be been it its you he she they we my your his her
  their our me him them us this that so not no do did does have has had what when where who how just really very too can
  will would about like get got`.split(/\s+/),
);
const telling = (text: string) =>
  (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !COMMON.has(word));

/** The talk up to each question in place of the question alone; none where the data has no talks. */
export function asConversations(data: readonly Conversation[]): Conversation[] {
  return data.map((one) => ({
    ...one,
    questions: one.questions.flatMap(({ conversation, ...question }) =>
      conversation === undefined ? [] : [{ ...question, question: conversation }],
    ),
  }));
}

/** Every third question, asked of memories without those that answer them: about what is known, but nothing answers it. */
export function withoutEvidence(data: readonly Conversation[]): Conversation[] {
  return data.map((one) => {
    const asked = one.questions.filter((_, place) => place % 3 === 0);
    const left = new Set(asked.flatMap(({ evidence }) => evidence));
    return {
      ...one,
      turns: one.turns.filter(({ id }) => !left.has(id)),
      questions: asked.map((question) => ({ ...question, evidence: [], unanswerable: true })),
    };
  });
}

/** Two typing errors in each question: a letter left out, added, replaced, or two swapped. */
export function withTypingErrors(data: readonly Conversation[]): Conversation[] {
  const random = seeded(5);
  return data.map((one) => ({
    ...one,
    questions: one.questions.map((question) => {
      const longest = [...new Set(question.question.match(/\p{L}{4,}/gu) ?? [])]
        .filter((word) => !COMMON.has(word.toLowerCase()))
        .sort((a, b) => b.length - a.length)
        .slice(0, 4);
      const mistyped = shuffled(longest, random).slice(0, 2);
      const text = mistyped.reduce(
        (asked, word) => asked.replace(word, withError(word, random)),
        question.question,
      );
      return { ...question, question: text };
    }),
  }));
}

function withError(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  const letters = /^[a-z]+$/i.test(word) ? 'abcdefghijklmnopqrstuvwxyz' : word.toLowerCase();
  const letter = letters.charAt(Math.floor(random() * letters.length));
  const [before, after] = [word.slice(0, at), word.slice(at)];
  const errors = [
    before + after.slice(1),
    before + letter + after,
    before + letter + after.slice(1),
    before + after.charAt(1) + after.charAt(0) + after.slice(2),
  ];
  return errors[Math.floor(random() * errors.length)] ?? word;
}

const SPEAKER = /^(\w+): /;

/**
 * Chats of an agent: what two people told each other is told to an agent, who answers each turn with a long reply about the same
 * words, put together from what other people said. Questions are asked in the first person. Needs several conversations.
 */
export function withLongReplies(data: readonly Conversation[]): Conversation[] {
  return data.map((one, number) => {
    const random = seeded(17 + number);
    const sentences = data
      .filter((other) => other !== one)
      .flatMap(({ turns }) => turns.flatMap(({ text }) => text.split(/(?<=[.!?])\s+/)))
      .filter(({ length }) => length > 30);
    const reply = repliesFrom(sentences, random);
    const turns = one.turns.flatMap((turn): Turn[] => {
      const { occurred_at = '', ...memory } = turn.memory;
      const after = new Date(Date.parse(occurred_at) + 500).toISOString();
      return [
        { ...turn, memory: { ...memory, occurred_at, content: `user: ${turn.text}` } },
        {
          id: `${turn.id} reply`,
          text: '',
          memory: { ...memory, occurred_at: after, content: `assistant: ${reply(turn.text)}` },
        },
      ];
    });
    const names = [
      ...new Set(one.turns.flatMap(({ memory }) => SPEAKER.exec(memory.content)?.[1] ?? [])),
    ].join('|');
    const questions = one.questions.map((question) => ({
      ...question,
      question: question.question
        .replace(new RegExp(`\\b(${names})'s\\b`, 'g'), 'my')
        .replace(new RegExp(`\\b(${names})\\b`, 'g'), 'I'),
    }));
    return { ...one, turns, questions };
  });
}

/** Puts long replies to a text together: of the sentences that share its words, some ten to thirty-five. */
function repliesFrom(sentences: readonly string[], random: () => number): (text: string) => string {
  const holding = new Map<string, number[]>();
  for (const [place, sentence] of sentences.entries()) {
    for (const word of new Set(telling(sentence))) holding.set(word, [...(holding.get(word) ?? []), place]);
  }
  return (text) => {
    const words = [...new Set(telling(text))]
      .sort((a, b) => (holding.get(a)?.length ?? Infinity) - (holding.get(b)?.length ?? Infinity))
      .slice(0, 8);
    const scores = new Map<number, number>();
    for (const word of words) {
      const places = holding.get(word) ?? [];
      for (const place of places) {
        scores.set(place, (scores.get(place) ?? 0) + Math.log(sentences.length / places.length));
      }
    }
    const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, 60);
    const lines = shuffled(best, random)
      .slice(0, 10 + Math.floor(random() * 25))
      .map(([place], line) =>
        line % 3 === 0
          ? `${line + 1}. **${words[line % words.length] ?? 'More'}**: ${sentences[place]}`
          : sentences[place],
      );
    return `You mentioned ${words.slice(0, 5).join(', ')}. ${lines.join('\n')} Would you like to know more?`;
  };
}

const FACTS: readonly (readonly [fact: string, question: string])[] = [
  ['The spare key of the garage hangs behind the blue shed.', 'Where does the spare key of the garage hang?'],
  [
    'Our staging database listens on port 6543 of host pluto.',
    'Which port does the staging database listen on?',
  ],
  ['Marta is allergic to cashew nuts.', 'What is Marta allergic to?'],
  ['The rent for the office is 2,150 euros a month.', 'How much is the rent for the office?'],
  ['Deployments are frozen from 20 December until 6 January.', 'When are deployments frozen?'],
  [
    'The invoices of Hollander go to accounting by fax.',
    'How do the invoices of Hollander go to accounting?',
  ],
  ['Quentin prefers tabs over spaces in Python files.', 'What does Quentin prefer in Python files?'],
  ['The violin lesson moved to Thursday at five.', 'When is the violin lesson?'],
  ['The retry limit of the webhook worker is eleven.', 'What is the retry limit of the webhook worker?'],
  ['Grandmother was born in Ljubljana in 1938.', 'Where was grandmother born?'],
];
const FACT_PLACES = [0, 0.5, 0.98];
const DISTRACTING = 20;

/** One fact inside each of ten long memories, beside twenty others as long and all the given turns. */
export function factsInLongMemories(
  [one, other = one]: readonly Conversation[],
  characters: number,
): Conversation[] {
  if (!one || !other) return [];
  const random = seeded(characters);
  const said = other.turns.map(({ text }) => text);
  const text = () => {
    let long = '';
    while (long.length < characters) long += `${said[Math.floor(random() * said.length)]} `;
    return long.slice(0, characters);
  };
  const memory = (id: string, content: string): Turn => ({
    id,
    text: content,
    memory: { type: 'semantic', content },
  });
  const long = FACTS.map(([fact], number) => {
    const around = text();
    const at = Math.floor((FACT_PLACES[number % FACT_PLACES.length] ?? 0) * around.length);
    return memory(`fact ${number}`, `${around.slice(0, at)}. ${fact} ${around.slice(at)}`.slice(0, 32_768));
  });
  const others = Array.from({ length: DISTRACTING }, (_, number) => memory(`other ${number}`, text()));
  const questions = FACTS.map(
    ([, question], number): Question => ({ question, evidence: [`fact ${number}`], category: 'fact' }),
  );
  return [{ sample_id: 'long', turns: [...one.turns, ...others, ...long], questions }];
}

const IDENTIFIERS = [
  'max_retry_count',
  'getUserProfile',
  'src/server/pool.ts',
  'ERR_CONN_42',
  'PROJ-1837',
  '9f86d081884c7d65',
  'user_session_ttl',
  'parseJsonStream',
  '/etc/nginx/conf.d/api.conf',
  'E11000',
  'OPS-77',
  'v2.14.3-rc1',
  'https://wiki.acme-internal.net/adr-12',
  'ada@lovelace-labs.org',
  'kMaxInFlight',
  'SVC_HTTP_PORT',
  'db-replica-03',
  '10.4.17.230',
  'DEADLINE_EXCEEDED',
  'renderToPipeableStream',
  'feature/login-v3',
  'a1b2c3d',
  'X-Request-Id',
  'std::unordered_map',
];

/** Identifiers, each in a memory of its own, asked for as written, beside all the given turns. */
export function identifiers([one]: readonly Conversation[]): Conversation[] {
  if (!one) return [];
  const facts = IDENTIFIERS.map((name, number): Turn => {
    const content = `We changed ${name} on day ${number}; the old value is in the ticket.`;
    return { id: name, text: content, memory: { type: 'semantic', content } };
  });
  const questions = IDENTIFIERS.map(
    (name): Question => ({ question: name, evidence: [name], category: 'identifier' }),
  );
  return [{ sample_id: 'identifiers', turns: [...one.turns, ...facts], questions }];
}

function shuffled<One>(list: readonly One[], random: () => number): One[] {
  return list
    .map((one) => ({ one, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}
