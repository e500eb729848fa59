import { lower, type MeaningUnit } from './meaning-unit.ts';
import { isEnglishWord } from './spelling.ts';
import { wordSet } from './words.ts';

/** Words that a text in German, Spanish, Portuguese or French rarely lacks, and that none of the others, nor English, has. */
const GERMAN = wordSet('ich und nicht ist eine einen für mit sie wir auf von');
const SPANISH = wordSet('el los y con una del su mi está nunca antes siempre cada');
const PORTUGUESE = wordSet('o os da do na no em um uma com nunca sempre não');
const ITALIAN = wordSet('gli della dello nel alla sono ha è che');
const FRENCH = wordSet('je le les et des une est avec pour elle il nous son mon chaque');

/**
 * Russian words written with ё or with е, which are one word by either. Without those that are another one by the other: все, небо,
 * осел, узнает, берет.
 */
const WITH_YO = wordSet(`
  её неё ещё моё твоё своё живёт живём живёте идёт идём ведёт даёт даём даёте отдаёт задаёт придёт найдёт возьмёт поймёт зовёт
  объём отчёт отчёты расчёт учёт счёт счёта приём подъём партнёр партнёры актёр ребёнок самолёт вперёд
  чёрный тёмный жёлтый зелёный лёгкий твёрдый
`);

/** Words that are none without their accents, by what is left of them then. Without those that are another: ano, ingles, manha. */
const accented = (list: string): ReadonlyMap<string, string> =>
  new Map([...wordSet(list)].map((word) => [withoutAccents(word), word]));
const ACCENTED_SPANISH = accented(`
  también después además aquí allí así jamás quizás ningún algún según común razón corazón café jardín fácil difícil teléfono
  código página música español mañana señor señora niño niños pequeño pequeña contraseña
  día días miércoles sábado país países francés alemán interés rápido rápida única básico básica electrónico técnica automático
  alérgico alérgica líder móvil útil energía tecnología todavía
`);
const ACCENTED_PORTUGUESE = accented(`
  não você vocês também alguém ninguém endereço endereços serviço serviços preço preços português relatório necessário horário
  usuário usuários família possível disponível responsável difícil fácil através sábado código francês três alérgico alérgica
`);
const ACCENTED_FRENCH = accented(`
  très après déjà être français réponse réponses répondre réponds préfère préférer vérifier médicament médicaments règle règles
  problème problèmes système systèmes données écrire école sécurité confidentialité priorité qualité vérité février août décembre
  équipe équipes téléphone réunion réunions numéro numéros préférence préférences première dernière médecin médecins
  hôpital bientôt plutôt père mère frère décision décisions détail détails déjeuner
`);

const ACCENTED_ITALIAN = accented(`
  perché poiché affinché città qualità libertà università attività più può già lunedì martedì mercoledì giovedì venerdì
`);

const LONGEST_NAME = 4;

/** Nouns of German with ß, which in Switzerland, and on keyboards without, have ss. Other nouns may be names: "Weiss". */
const SHARP_NOUNS = /^(?:straße|grüße|gruß|spaß|fuß|füße|größe)n?$/;
/** Of these the one with ss is another word than the one with ß: "Masse", "Busse", "Russen", "schoss". */
const NOT_SHARP = /mass|buss|russ|floss|schoss|^ass|sass/;
/** What no umlaut stands for: "neue", "Quelle", "aktuell", "zuerst". */
const TRANSCRIBED = /(?<![aeuq])(?:ae|oe|ue)(?!ll|nz|rst|inander)/;

/**
 * Whether two words of a text in another language than English are one, spelt in two ways that are both in use, or the old one
 * without the accents and umlauts that its word has.
 */
export function isForeignSpelling(
  one: string,
  other: string,
  units: readonly MeaningUnit[],
  startsSentence: boolean,
): boolean {
  const [from, to] = [one.toLowerCase(), other.toLowerCase()];
  // Capitals within a word say something of their own.
  if (!startsAlike(one, other)) return false;
  if (WITH_YO.has(from) || WITH_YO.has(to)) return withoutYo(from) === to || withoutYo(to) === from;
  // A name may be spelt so.
  const isSmall = one === from && other === to;
  if (isSmall && hasLigature(from + to) && apartLigatures(from) === apartLigatures(to)) return true;
  if (speaks(units, GERMAN)) return isGermanSpelling(from, to, isSmall);
  // At the start of a sentence only short ones are names: Pere.
  const isPlain = isSmall || (startsSentence && from.length > LONGEST_NAME);
  return isPlain && withoutAccents(to) === from && hasItsAccents(from, to, units, isSmall);
}

function startsAlike(one: string, other: string): boolean {
  const isTailSmall = [one, other].every((word) => word.slice(1) === word.slice(1).toLowerCase());
  return isTailSmall && /^\p{Lu}/u.test(one) === /^\p{Lu}/u.test(other);
}

function withoutYo(word: string): string {
  return word.replaceAll('ё', 'е');
}

function speaks(units: readonly MeaningUnit[], words: ReadonlySet<string>): boolean {
  return units.some((unit) => words.has(lower(unit)));
}

/** Two letters written as one. */
function hasLigature(word: string): boolean {
  return /[œæ]/.test(word);
}

function apartLigatures(word: string): string {
  return word.replaceAll('œ', 'oe').replaceAll('æ', 'ae');
}

function withoutAccents(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '');
}

function isGermanSpelling(from: string, to: string, isSmall: boolean): boolean {
  const [plain, other] = [from.replaceAll('ß', 'ss'), to.replaceAll('ß', 'ss')];
  const isSharp = isSmall || SHARP_NOUNS.test(from) || SHARP_NOUNS.test(to);
  if (from !== to && plain === other) return isSharp && !NOT_SHARP.test(plain);
  // "true" and "value" are words of English.
  if (!isSmall || !TRANSCRIBED.test(plain) || isEnglishWord(from)) return false;
  const umlauts = { ae: 'ä', oe: 'ö', ue: 'ü' } as Readonly<Record<string, string>>;
  const mended = plain.replace(new RegExp(TRANSCRIBED, 'g'), (letters) => umlauts[letters] ?? letters);
  return mended === other && !NOT_SHARP.test(plain);
}

function hasItsAccents(from: string, to: string, units: readonly MeaningUnit[], isSmall: boolean): boolean {
  const isListed = (words: ReadonlySet<string>, list: ReadonlyMap<string, string>) =>
    list.get(from) === to && speaks(units, words);
  // Of endings names are made as well.
  const hasEnding =
    (/\p{L}{2}ión$/u.test(to) && speaks(units, SPANISH)) ||
    (/[içs](?:ão|ões)$/.test(to) && speaks(units, PORTUGUESE));
  return (
    isListed(SPANISH, ACCENTED_SPANISH) ||
    isListed(PORTUGUESE, ACCENTED_PORTUGUESE) ||
    isListed(FRENCH, ACCENTED_FRENCH) ||
    (isSmall && hasEnding) ||
    isListed(ITALIAN, ACCENTED_ITALIAN)
  );
}
