import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';

const category = z.union([z.int(), z.string()]);

const chat = z.object({
  sample_id: z.string(),
  turns: z
    .array(
      z.object({
        id: z.string(),
        speaker: z.string(),
        text: z.string(),
        caption: z.string().nullish(),
        session: z.string(),
        /** As LoCoMo writes it: `1:56 pm on 8 May, 2023`. */
        session_date_time: z.string(),
      }),
    )
    .min(1),
  questions: z.array(
    z.object({
      question: z.string(),
      /** Without answers, boot coverage is of the evidence alone. */
      answer: z.union([z.string(), z.number()]).optional(),
      evidence: z.array(z.string()),
      category,
      aside: z.boolean().optional(),
    }),
  ),
});

const store = z.object({
  id: z.string(),
  memories: z
    .array(
      z.object({
        id: z.string(),
        content: z.string(),
        session_id: z.string().optional(),
        occurred_at: z.string().optional(),
      }),
    )
    .min(1),
  questions: z.array(
    z.object({
      q: z.string(),
      evidence: z.array(z.string()),
      category,
      unanswerable: z.boolean().optional(),
      /** The talk up to the question, the question included. */
      conversation: z.string().optional(),
      aside: z.boolean().optional(),
    }),
  ),
});

/** SQuAD, and data sets in its form in other languages. */
const squad = z.object({
  data: z
    .array(
      z.object({
        paragraphs: z.array(
          z.object({
            context: z.string(),
            qas: z.array(
              z.object({
                question: z.string(),
                answers: z.array(z.object({ answer_start: z.int() })),
              }),
            ),
          }),
        ),
      }),
    )
    .min(1),
});

/** A memory of a data set. */
export interface Turn {
  readonly id: string;
  /** What was said, without the speaker. */
  readonly text: string;
  readonly memory: {
    readonly type: 'episodic' | 'semantic';
    readonly content: string;
    readonly session_id?: string;
    readonly occurred_at?: string;
  };
}

export interface Question {
  readonly question: string;
  readonly answer?: string | number | undefined;
  /** Ids of the turns that answer it; those that are not in the data are left out. */
  readonly evidence: readonly string[];
  readonly category: string;
  readonly unanswerable?: boolean | undefined;
  /** The talk up to the question, the question included. */
  readonly conversation?: string | undefined;
  /** Whether it was put aside, so that nothing was chosen with it. */
  readonly aside?: boolean | undefined;
}

/** The memories of one tenant, and what is asked about them. */
export interface Conversation {
  readonly sample_id: string;
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
}

/** LoCoMo's numbers for its kinds of questions. */
const CATEGORY_NAMES: Readonly<Record<string, string>> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
  5: 'adversarial',
};

/** Reads a data set of conversations. Throws an error that says what is wrong with the file, and how to get one. */
export async function readDataset(path: string): Promise<Conversation[]> {
  const hint = 'See `npm run eval -- --help` for the format and where to get data.';
  let data: unknown;
  try {
    data = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be read as JSON (${(error as Error).message}). ${hint}`);
  }
  const parsed = z
    .union([z.array(chat).min(1), z.array(store).min(1), squad], {
      error: 'is neither a list of chats nor of stores, nor SQuAD',
    })
    .safeParse(data);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${path}: ${issue?.path.join('.')} ${issue?.message}. ${hint}`);
  }
  if (!Array.isArray(parsed.data)) return [fromSquad(basename(path), parsed.data)];
  return parsed.data.map((one) => ('turns' in one ? fromChat(one) : fromStore(one)));
}

function fromChat({ sample_id, turns, questions }: z.output<typeof chat>): Conversation {
  const places = new Map<string, number>();
  const known = new Set(turns.map(({ id }) => id));
  return {
    sample_id,
    turns: turns.map(({ id, speaker, text, caption, session, session_date_time }) => {
      const place = places.get(session) ?? 0;
      places.set(session, place + 1);
      // An episode in its session, a second after the one before.
      const occurred_at = new Date(readTime(session_date_time) + place * 1000).toISOString();
      const content = `${speaker}: ${text}${caption ? ` [shares ${caption}]` : ''}`;
      return { id, text, memory: { type: 'episodic', content, session_id: session, occurred_at } };
    }),
    questions: questions.map((question) => ({
      ...question,
      category: CATEGORY_NAMES[question.category] ?? String(question.category),
      evidence: question.evidence.filter((id) => known.has(id)),
    })),
  };
}

function fromStore({ id, memories, questions }: z.output<typeof store>): Conversation {
  return {
    sample_id: id,
    turns: memories.map(({ id, content, session_id, occurred_at }) => ({
      id,
      text: content,
      memory: {
        type: session_id === undefined ? 'semantic' : 'episodic',
        content,
        ...(session_id === undefined ? {} : { session_id }),
        ...(occurred_at === undefined ? {} : { occurred_at }),
      },
    })),
    questions: questions.map(({ q, category, ...rest }) => ({
      ...rest,
      question: q,
      category: String(category),
    })),
  };
}

/** Each sentence as a memory of its own; a question is answered by the one that its answer begins in. */
function fromSquad(name: string, { data }: z.output<typeof squad>): Conversation {
  const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
  const found = data
    .flatMap(({ paragraphs }) => paragraphs)
    .map(({ context, qas }, place) => {
      const said = [...sentences.segment(context)].map(({ segment, index }, number) => ({
        id: `${place}.${number}`,
        content: segment.trim(),
        end: index + segment.length,
      }));
      const holding = (start: number) => said.find(({ end }) => start < end)?.id;
      return {
        memories: said.filter(({ content }) => content !== ''),
        questions: qas.map(({ question, answers: [first] }) => ({
          q: question,
          evidence: [holding(first?.answer_start ?? 0)].filter((id) => id !== undefined),
          category: 'fact',
        })),
      };
    });
  return fromStore({
    id: name,
    memories: found.flatMap(({ memories }) => memories),
    questions: found.flatMap(({ questions }) => questions),
  });
}

function readTime(value: string): number {
  const match = /^(\d{1,2}):(\d{2}) ([ap])m on (\d{1,2} \w+),? (\d{4})$/i.exec(value.trim());
  if (!match) throw new Error(`"${value}" is not a time like "1:56 pm on 8 May, 2023"`);
  const [, hour, minute, half, day, year] = match;
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0);
  return Date.parse(`${day} ${year} ${String(hours).padStart(2, '0')}:${minute}:00 UTC`);
}
