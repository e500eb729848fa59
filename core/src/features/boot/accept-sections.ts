import { z } from 'zod';
import { parseInput } from '../../kernel/contract/parse.ts';
import { memory } from '../records/contract.ts';
import type { Entry, Section } from './section.ts';

const text = z.string();
const flag = z.boolean().optional();

// Of a field that is missing here a plugin would lose what it was given.
const entryFields: Record<keyof Entry, z.ZodType> = {
  memory: memory.optional(),
  fullLength: z.int().optional(),
  contentSource: text.optional(),
  note: text.optional(),
  former: text.optional(),
  doubt: z.object({ content: text, since: z.date() }).optional(),
  alike: z.int().optional(),
  whole: flag,
  rank: z.number().optional(),
  unconfirmed: flag,
  pinned: flag,
  score: z.number().optional(),
  shorter: z.array(text).optional(),
  text: text.optional(),
};

const sectionFields: Record<keyof Section, z.ZodType> = {
  name: text,
  title: text,
  entries: z.array(z.object(entryFields)),
  weight: z.number().nonnegative().optional(),
  keep: z.enum(['first', 'last']).optional(),
  omitted: z.int().optional(),
};

const sections = z.array(z.object(sectionFields));

/** Takes what a plugin made of the sections of an injection. */
export function acceptSections(answered: unknown): readonly Section[] {
  return parseInput(sections, answered) as readonly Section[];
}
