import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const turn = z.object({
  id: z.string(),
  speaker: z.string(),
  text: z.string(),
  caption: z.string().nullish(),
  session: z.string(),
  /** As LoCoMo writes it: `1:56 pm on 8 May, 2023`. */
  session_date_time: z.string(),
});

const conversation = z.object({
  sample_id: z.string(),
  turns: z.array(turn).min(1),
  questions: z.array(
    z.object({
      question: z.string(),
      /** Without answers, boot coverage is of the evidence alone. */
      answer: z.union([z.string(), z.number()]).optional(),
      evidence: z.array(z.string()),
      category: z.union([z.int(), z.string()]),
    }),
  ),
});
export type Conversation = z.output<typeof conversation>;
export type Turn = z.output<typeof turn>;

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
  const parsed = z.array(conversation).min(1).safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${path}: ${issue?.path.join('.')}: ${issue?.message}. ${hint}`);
}

export function categoryName(category: number | string): string {
  return CATEGORY_NAMES[category] ?? String(category);
}

/** The memory a turn becomes: one episode, in its session, a second after the one before. */
export function toMemory({ speaker, text, caption, session, session_date_time }: Turn, place: number) {
  return {
    type: 'episodic' as const,
    content: `${speaker}: ${text}${caption ? ` [shares ${caption}]` : ''}`,
    session_id: session,
    occurred_at: new Date(readTime(session_date_time) + place * 1000).toISOString(),
  };
}

function readTime(value: string): number {
  const match = /^(\d{1,2}):(\d{2}) ([ap])m on (\d{1,2} \w+),? (\d{4})$/i.exec(value.trim());
  if (!match) throw new Error(`"${value}" is not a time like "1:56 pm on 8 May, 2023"`);
  const [, hour, minute, half, day, year] = match;
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0);
  return Date.parse(`${day} ${year} ${String(hours).padStart(2, '0')}:${minute}:00 UTC`);
}
