import type { Fact, Token } from '../fact/fact.ts';
import { OPEN_RELATIONS, type Relation, WITH } from '../fact/relations.ts';
import { AGE } from '../fact/token-list.ts';
import { words } from '../fact/word-groups.ts';
import { PEOPLE, PLACE_ATTRIBUTES } from '../fact/words.ts';
import { stemOfToken } from './alignment.ts';
import { keysOf } from './difference.ts';
import { movesItself, sharedRelations } from './same-subject.ts';

/**
 * Whether a newer fact tells of the same attribute as an older one, and not only of the same person: "The user is vegetarian" and
 * "The user moved to Berlin" share the user alone. Of a thing less is told: there its name is enough.
 */
export function tellsOfSameAttribute(older: Fact, newer: Fact): boolean {
  if (leavesAttribute(older, newer) || areOfOthers(older, newer)) return false;
  return !(isOfPerson(older, newer) && isOfPerson(newer, older)) || sharesAttribute(older, newer);
}

function sharesAttribute(older: Fact, newer: Fact): boolean {
  const theirs = keysOf(newer.tokens);
  const who = new Set([...whoOf(older, newer), ...whoOf(newer, older)].map(({ key }) => key));
  if (older.tokens.some(({ key, attribute }) => theirs.has(key) && (attribute || !who.has(key)))) return true;
  if (tellsAge(newer) && (tellsAge(older) || areCounts(older, newer))) return true;
  return tellsAlike(older, newer);
}

function tellsAge({ tokens }: Fact): boolean {
  return tokens.some(({ detail }) => detail === AGE);
}

/** So many facts of one subject are many. */
const MANY = 3;

/** Stems that many of the facts share: the name of a subject of which many things are told. */
export function commonStems(facts: readonly Fact[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const stem of facts.flatMap(({ tokens }) => [...new Set(tokens.map(stemOfToken))]))
    counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return new Set([...counts].flatMap(([stem, count]) => (count >= MANY ? [stem] : [])));
}

/**
 * Whether two facts share more than a subject of which many things are told: "The shop takes cards by SumUp" and "The shop moved its
 * archive to Dropbox" share the shop, which other facts that go beside the newer one name as well.
 *
 * @param common What many facts share that hold beside the newer one.
 */
export function sharesMoreThanSubject(older: Fact, newer: Fact, common: ReadonlySet<string>): boolean {
  if (common.size === 0 || (older.firstPerson && newer.firstPerson)) return true;
  const theirs = new Set(newer.tokens.map(stemOfToken));
  const stems = older.tokens.map(stemOfToken);
  return stems.some((stem) => theirs.has(stem) && !common.has(stem)) || tellsAlike(older, newer);
}

/** Whether what they tell is of one kind, whatever words they share. */
function tellsAlike(older: Fact, newer: Fact): boolean {
  if (sharedRelations(older, newer).some(tellsAttribute)) return true;
  return (
    worksElsewhere(older, newer) ||
    (movesItself(newer) && isPlaced(older)) ||
    areCounts(older, newer) ||
    nameOneDimension(older, newer)
  );
}

/** "drives a Volvo"; but of what somebody is, has or likes there is much. */
function tellsAttribute(relation: Relation): boolean {
  return relation !== 'be' && !OPEN_RELATIONS.has(relation);
}

/** "Ankara'da yaşıyorum": the place comes first. */
const TURKISH_PLACE = /'[dt][ae]$/;

/** Perhaps: "I work at Acme", "I joined Bosch" but not "the gym"; "works as a nurse", "became a paramedic". */
export function worksElsewhere(older: Fact, newer: Fact): boolean {
  if (!older.relations.has('work')) return false;
  const isNamed = ({ text, subject }: Token) => !subject && PROPER.test(text);
  if (newer.joins && newer.tokens.some(isNamed)) return true;
  const isRole = ({ key, indefinite, subject }: Token) => !subject && indefinite && !UNPAID.has(key);
  return (
    newer.takesOver &&
    older.tokens.some(({ preposition }) => ROLE.has(preposition)) &&
    newer.tokens.some(isRole)
  );
}

/** What one may become without another job. */
const UNPAID = words(
  'mother father mom mum dad parent grandmother grandfather grandparent aunt uncle member citizen fan vegetarian vegan resident',
);
const ROLE = new Set(['as', 'als', 'como', 'comme', 'come']);

/** "lives in Graz"; but "lives with Eva", "works from home". */
function isPlaced({ relations, tokens }: Fact): boolean {
  const isPlace = ({ text, subject, kind, preposition }: Token) =>
    (!subject || TURKISH_PLACE.test(text)) &&
    kind === 'word' &&
    !WITH.has(preposition) &&
    (preposition !== '' || PROPER.test(text));
  return (relations.has('live') || relations.has('stay')) && !relations.has('work') && tokens.some(isPlace);
}

/** "Leo is 9", "Leo is 10". */
function areCounts(older: Fact, newer: Fact): boolean {
  const isCount = ({ relations, tokens }: Fact) =>
    (relations.size === 1 ? relations.has('be') : tokens.some(({ detail }) => detail === AGE)) &&
    tokens.every(({ subject, kind }) => subject || kind === 'number');
  return isCount(older) && isCount(newer);
}

/** Both name an amount of money, a length, a weight; of durations a person has many. */
function nameOneDimension(older: Fact, newer: Fact): boolean {
  const dimensionsOf = ({ tokens }: Fact) =>
    tokens.flatMap(({ kind, detail }) => {
      const [dimension = ''] = detail.split(' per ');
      return kind === 'number' && dimension !== '' && dimension !== 'time' ? dimension : [];
    });
  const theirs = dimensionsOf(newer);
  return dimensionsOf(older).some((dimension) => theirs.includes(dimension));
}

/** Relations that tell of an attribute without naming it. */
const TOLD_BY: ReadonlyMap<string, Relation> = new Map<string, Relation>([
  ...(['name', 'nombre', 'nom'] as const).map((key) => [key, 'named'] as const),
  ...(['price', 'precio', 'prix', 'preis'] as const).map((key) => [key, 'cost'] as const),
  ['owner', 'own'],
]);

/** "The user's job is stressful": a newer fact of the user alone says nothing of the job. */
function leavesAttribute(older: Fact, newer: Fact): boolean {
  if (nameOneDimension(older, newer)) return false;
  const theirs = keysOf(newer.tokens);
  const isShared = ({ key, subject, soft, attribute }: Token) =>
    subject && theirs.has(key) && (attribute || soft) && !PEOPLE.has(key);
  // "The phone is a Pixel 6", "upgraded to a Pixel 9"
  const isNamed = ({ key, text, subject, kind }: Token) =>
    !subject && kind === 'word' && NAME.test(text) && theirs.has(key);
  if (older.tokens.some(isNamed)) return false;
  const isLeft = ({ key, subject, attribute, denied }: Token) => {
    if (!subject || denied || theirs.has(key) || !attribute) return false;
    const relation = TOLD_BY.get(key);
    return !(relation && newer.relations.has(relation)) && !(newer.moves && PLACE_ATTRIBUTES.has(key));
  };
  return older.tokens.some(isLeft) && !older.tokens.some(isShared);
}

/** "My mother lives in Graz", "I live in Berlin"; but "my sister Carla" is Carla. */
function areOfOthers(older: Fact, newer: Fact): boolean {
  const [mine, theirs] = [keysOf(older.tokens), keysOf(newer.tokens)];
  const isNamed = ({ key, text, subject }: Token) =>
    subject && theirs.has(key) && NAME.test(text) && !PEOPLE.has(key);
  // But "Carla's husband" is not Carla.
  const isOwner = ({ text }: Token) => OWNER.test(text);
  const named = older.tokens.filter(isNamed);
  const sameName = (token: Token) => newer.tokens.find(({ key }) => key === token.key) ?? token;
  if (named.some((token) => isOwner(token) === isOwner(sameName(token)))) return false;
  const isOwn = ({ subject, scope, denied }: Token) => subject && scope && !denied;
  return (
    older.tokens.some((token) => isOwn(token) && !theirs.has(token.key)) ||
    newer.tokens.some((token) => isOwn(token) && !mine.has(token.key))
  );
}

/** Whether it tells of a person, by a name or as "the user"; in Chinese and Japanese of anything. */
export function isOfPerson(fact: Fact, other: Fact): boolean {
  return (whoOf(fact, other).length > 0 && !namesThing(fact)) || fact.firstPerson;
}

/** "Tests run with Jest", "Log retention is 7 days", "Standup is at 9:30": what begins like a name is none. */
function namesThing({ content, tokens }: Fact): boolean {
  const [first, second, ...others] = tokens;
  if (!first || PEOPLE.has(first.key) || OWNER.test(first.text)) return false;
  if (MANY_THINGS.test(content)) return true;
  if (second?.kind === 'time' && others.every(({ kind }) => kind === 'time')) return true;
  return COMPOUND.test(content);
}

/** "Tests run", "Logs are" */
const MANY_THINGS =
  /^\p{Lu}\p{Ll}+s\s(?:are|were|have|run|go|get|use|need|take|live|come|expire|start|end)\b/u;
/** "Log retention was", "Staging database is": behind a name stands a verb ("juggles", "juggled"), or "never". */
const COMPOUND =
  /^\p{Lu}\p{Ll}+(?:\s\p{Ll}{3,}(?<!s|ed|ing|ly|often|always|never|still|already|also|and|who|that|now|then|soon|once|just|only|even|later|again|alone|today|both|here|there)){1,3}\s(?:is|are|was|were|has|have|runs?|uses?)\b/u;

/** What a place is called, in writing that has capitals or none. */
const PROPER = /^(?:\p{Lu}|\p{Lo})/u;
const NAME = /^\p{Lu}\p{Ll}+(?:['’]s?)?$/u;
const OWNER = /['’]s?$/;
const HAN_TITLES = /^(?:先生|女士|太太|小姐|老师|さん|くん|ちゃん|様|氏)$/u;
const CJK = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** Of whom it tells: the names that stand first, or "the user". What follows may be a verb that nobody knows as one. */
function whoOf({ tokens, definite }: Fact, other: Fact): readonly Token[] {
  // Names look like other words there: what both begin with. A name may be read as two words: one letter, and the rest.
  const isWho = CJK.test(tokens[0]?.text ?? '')
    ? ({ key, text, subject, attribute }: Token, at: number) =>
        subject &&
        !attribute &&
        other.tokens[at]?.key === key &&
        (at === 0 || (at === 1 && (tokens[0]?.text.length === 1 || HAN_TITLES.test(text))))
    : ({ key, text, subject, attribute }: Token) =>
        subject && !attribute && (PEOPLE.has(key) || (NAME.test(text) && (!definite || OWNER.test(text))));
  const end = tokens.findIndex((token, at) => !isWho(token, at));
  return end < 0 ? tokens : tokens.slice(0, end);
}
