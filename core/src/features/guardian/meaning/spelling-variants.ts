import { wordSet } from './words.ts';

interface Family {
  readonly stems: string;
  readonly british: string;
  readonly american: string;
  /** What may follow, in both. */
  readonly endings: string;
}

/**
 * Words that are spelt otherwise in Britain and in America, and mean the same. Without those that mean two things in one of
 * the two: practise, licence, programme, metre, storey, cheque, draught, tyre, kerb, disc, analogue, dialogue,
 * learnt, analyses, judgement, counsellor; and without grey, as many are called so. Words of French are written with their accents
 * and without.
 */
const FAMILIES: readonly Family[] = [
  {
    stems:
      'behavi cand clam col demean disfav dishon endeav fav ferv flav harb hon hum lab neighb od rum sav savi splend vig',
    british: 'our',
    american: 'or',
    endings: ' s ed ing ful less able ably ite ites hood ly',
  },
  {
    stems: `anonym apolog author categor central character colon commercial contextual critic crystall custom demoral digit disorgan
      dramat econom emphas energ equal familiar fertil final formal general global harmon human hypnot hypothes ideal immun
      industrial initial internal item jeopard legal local magnet marginal material maxim memor mesmer minim mobil modern monet
      moral national neutral normal optim organ ostrac parameter patron penal personal philosoph plagiar polar popular priorit
      privat public radical random rational real recogn regular reorgan revolution romantic sanit scrutin secular sensit serial
      social special stabil standard steril stigmat subsid summar symbol sympath synchron synthes terror theor token tranquill
      traumat trivial urban util vandal verbal victim visual vital vocal`,
    british: 'is',
    american: 'iz',
    endings: 'e es ed ing er ers ation',
  },
  { stems: 'anal catal paral', british: 'ys', american: 'yz', endings: 'e ed ing' },
  {
    stems:
      'cancel channel dial duel fuel label level libel marvel model panel quarrel relabel remodel revel rival signal spiral travel tunnel unravel',
    british: 'l',
    american: '',
    endings: 'ed ing er ers ous',
  },
  { stems: 'enro fulfi', british: 'l', american: 'll', endings: ' s ment ments' },
  { stems: 'skil wil', british: 'ful', american: 'lful', endings: ' ly ness' },
  { stems: 'cent fib lit theat', british: 're', american: 'er', endings: ' s' },
  { stems: 'cent', british: 'r', american: 'er', endings: 'ed ing' },
  { stems: 'defen offen preten', british: 'ce', american: 'se', endings: ' s' },
  { stems: 'acknowledg', british: 'ement', american: 'ment', endings: ' s' },
  { stems: 'catalog', british: 'ue', american: '', endings: ' s' },
  { stems: 'man', british: 'oeuvre', american: 'euver', endings: ' s' },
  { stems: 's', british: 'ceptic', american: 'keptic', endings: ' s al ally ism' },
  { stems: 'ag', british: 'eing', american: 'ing', endings: ' ' },
  { stems: 'jewel', british: 'lery', american: 'ry', endings: ' ' },
  { stems: 'afterward toward', british: 's', american: '', endings: ' ' },
  { stems: 'among', british: 'st', american: '', endings: ' ' },
  { stems: 'whil', british: 'st', american: 'e', endings: ' ' },
  { stems: 'caf', british: 'é', american: 'e', endings: ' s' },
  { stems: 'na', british: 'ïve', american: 'ive', endings: ' ly ty' },
  { stems: 'fa', british: 'ç', american: 'c', endings: 'ade ades' },
  { stems: 'clich', british: 'é', american: 'e', endings: ' s' },
  { stems: 'co', british: 'sy', american: 'zy', endings: ' ' },
];

const AMERICAN: ReadonlyMap<string, string> = new Map(
  FAMILIES.flatMap(({ stems, british, american, endings }) =>
    stems
      .split(/\s+/)
      .flatMap((stem) =>
        endings.split(' ').map((ending) => [stem + british + ending, stem + american + ending] as const),
      ),
  ),
);

/** With a capital these may be the names of parties, makers or places. */
const NAMES = wordSet('labour labor honour honor harbour harbor centre center theatre theater');

/** Words by which a text may tell which of the two spellings it is to have. */
const VARIETIES = /\b(?:brit(?:ish|ain)|america|commonwealth|oxford|dialect)|\b(?:UK|USA?)\b/i;

/** Whether a text speaks of Britain, America or the like, so that its spelling may be what it is about. */
export function namesVariety(words: readonly string[]): boolean {
  // "tell us" speaks of nobody's country.
  return words.some((word) => word !== 'us' && VARIETIES.test(word));
}

/** How a word, in small letters, is spelt in America. */
export function inAmerican(word: string): string {
  return AMERICAN.get(word) ?? word;
}

/** Whether two words are the British and the American spelling of one, and written with capitals alike. */
export function isSpellingVariant(one: string, other: string): boolean {
  const [from, to] = [one.toLowerCase(), other.toLowerCase()];
  if (one !== from && NAMES.has(from)) return false;
  return one.charAt(0) === other.charAt(0) && inAmerican(from) === inAmerican(to);
}
