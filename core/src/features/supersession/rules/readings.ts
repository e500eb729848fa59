import { fold } from '../../../text/words.ts';
import type { Fact } from '../fact/fact.ts';
import { parseFact } from '../fact/read-fact.ts';
import { words } from '../fact/word-groups.ts';

/** Who says it, before what is said: "The user asked to ...". */
const REPORTED =
  /^(?<who>(?:\p{L}+\s+){1,3})(?:says|said|asked|asks|mentioned|told\s+(?:me|us)|requested|confirmed|reported|sagt|dice)\s+(?:(?:me|us)\s+)?(?:(?:to|that|dass|que)\s+)?(?=\S+\s+\S)/iu;
/** Whose word is enough: whom the agent serves, and what or who has looked it up. */
const KNOWING = words(`
  user customer client human i we he she they it doctor physician dentist vet nurse hospital test tests result results scan manual docs
  documentation handbook page dashboard log logs nutzer nutzerin benutzer benutzerin arzt arztin test usuario usuaria medico medica utilisateur
`);

/** "cardiologist", "physiotherapist", "technician" */
const SPECIALIST = /(?:gist|therapist|cian)$/i;

/** Whether somebody else is reported to say it: "Ann says that Tom lives in Milan"; but of herself she knows. */
export function isHearsay({ content }: Fact, older: Fact): boolean {
  const who = REPORTED.exec(content)?.groups?.who?.trim().split(/\s+/) ?? [];
  const told = fold(older.content);
  return (
    who.length > 0 &&
    !who.some(
      (word) =>
        KNOWING.has(fold(word)) ||
        SPECIALIST.test(word) ||
        (/^\p{Lu}/u.test(word) && told.includes(fold(word))),
    )
  );
}

/** Between two clauses, not within a number, an address or a time. */
const BETWEEN_CLAUSES = /(?<=\S)\s*(?:[;,.:!](?=\s)|\s[-–—](?=\s))\s+/u;
const MOST_CLAUSES = 4;
const LEAST_WORDS = 2;

const known = new WeakMap<Fact, readonly Fact[]>();

/**
 * What a newer fact also says, by parts: each of its clauses, and what somebody is reported to say. That something changed is said
 * of all of them. "Added two nodes, the cluster has 5 now" says that the cluster has 5.
 */
export function readingsOf(fact: Fact): readonly Fact[] {
  const found = known.get(fact) ?? readParts(fact);
  known.set(fact, found);
  return found;
}

function readParts({ content, changed, question }: Fact): readonly Fact[] {
  if (question) return [];
  const said = content.replace(REPORTED, '');
  const clauses = said.split(BETWEEN_CLAUSES).filter((clause) => clause !== '');
  if (clauses.length > MOST_CLAUSES) return [];
  const texts = clauses.length > 1 ? clauses.filter((text) => text.split(/\s+/).length >= LEAST_WORDS) : [];
  return [...(said === content ? [] : [said]), ...texts].map((text) => {
    const part = parseFact(text);
    return { ...part, changed: part.changed || changed };
  });
}

/**
 * A clause that leaves its subject to those before it, with the words of the older fact that they say: "Certificate renewed, expires
 * in June".
 */
export function withSubject(clause: Fact, whole: Fact, older: Fact): Fact | undefined {
  const own = new Set(clause.tokens.map(({ key }) => key));
  const there = new Set(whole.tokens.map(({ key }) => key));
  const left = older.tokens.filter(
    ({ key, kind, subject }) => kind === 'word' && subject && there.has(key) && !own.has(key),
  );
  if (left.length === 0) return undefined;
  const taken = left.map((token) => ({ ...token, part: -1, denied: false }));
  return { ...clause, tokens: [...taken, ...clause.tokens] };
}
