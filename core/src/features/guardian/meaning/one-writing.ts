import { namesIdentifier } from './identifier-scope.ts';

const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー`;
const ARABIC = String.raw`\p{Script=Arabic}`;

/** Between a word of Chinese or Japanese and one of other letters or digits, where a space is set or not. */
const SCRIPT_BORDER = new RegExp(`(?<=[${CJK}])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[${CJK}])`, 'u');

const HALF_WIDTH_KANA = /[\uFF66-\uFF9F]+/gu;
const FULL_WIDTH_DIGITS = /[\uFF10-\uFF19]/gu;
/** Full-width marks beside a word of Chinese or Japanese, as which those of ASCII are read there. */
const CJK_MARK = new RegExp(`(?<=[${CJK}]["”’」』]?)(?:[，：；！？。]|．(?![\\p{L}\\p{N}]))`, 'gu');
const ASCII_MARK: Readonly<Record<string, string>> = {
  '，': ',',
  '：': ':',
  '；': ';',
  '！': '!',
  '？': '?',
  '。': '.',
  '．': '.',
  '،': ',',
  '؛': ';',
  '؟': '?',
};
const ARABIC_MARK = new RegExp(`(?<=${ARABIC}\\p{M}*)[،؛؟]`, 'gu');
/** Stretches a word, and says nothing. */
const TATWEEL = new RegExp(`(?<=${ARABIC}\\p{M}*)\u0640+(?=${ARABIC})`, 'gu');
/** The accusative of what has no article, which the alif says by itself. */
const ACCUSATIVE = new RegExp(`(?<=${ARABIC}{2})(?:\u064b\u0627|\u0627\u064b)(?!\\p{L})`, 'gu');

/** Nouns of Japanese that end with a long vowel, or without. Without those that are another word then, as ドライバ. */
const LONG_ENDING =
  /(?<=(?<!\p{Script=Katakana})(?:ユーザ|サーバ|コンピュータ|ブラウザ|フォルダ|プリンタ|エディタ|パラメータ))ー(?!\p{Script=Katakana})/gu;
/** A number and its unit are written with a space between, and without. */
const SPACED_UNIT = /(?<=[0-9]) (?=(?:[KMGT]B|[kcm]?m|[mk]?g|m[ls])(?![A-Za-z0-9]))/gu;
/** Digits and the word that counts by them, too: "2 명". */
const SPACED_COUNTER = /(?<=[0-9]) (?=\p{Script=Hangul})/gu;

/**
 * What is counted by these is the same by a numeral and by digits. Without one, as "一个" may be "a" and "一人" alone, and without
 * "번", as "두 번" is twice and "2번" the second. Behind other Han a numeral may be of a name.
 */
const COUNTED =
  /(?<=^|[\p{Script=Hiragana}\p{Script=Katakana}\p{P}\s有留是为為每约約过過于於到在存少多])([二两兩三四五六七八九]?十[二三四五六七八九]?|[二两兩三四五六七八九])(?=個月|个月|小时|小時|分钟|分鐘|[天个個名位次件枚台匹回人日年])/gmu;
const HAN_DIGITS = '〇一二三四五六七八九';
const COUNTED_IN_KOREAN =
  /(?<!\p{L})(두|세|다섯|여섯|열) (?=(?:명|개|마리|시간|달)(?:이|가|은|을|를|의|만|까지)?(?!\p{L}))/gu;
const KOREAN_NUMERALS: Readonly<Record<string, string>> = {
  두: '2',
  세: '3',
  다섯: '5',
  여섯: '6',
  열: '10',
};

function inDigits(numeral: string): string {
  const digit = (sign: string | undefined, none: number) =>
    sign ? HAN_DIGITS.indexOf(sign.replace(/[两兩]/u, '二')) : none;
  if (!numeral.includes('十')) return String(digit(numeral, 0));
  const [tens, ones] = numeral.split('十');
  return String(10 * digit(tens, 1) + digit(ones, 0));
}

/** The words of a run of Chinese or Japanese and of other letters, as they are with spaces between these. */
export function splitAtBorders(run: string): readonly string[] {
  return run.split(SCRIPT_BORDER);
}

const WRITTEN_SO = new RegExp(`[${CJK}\uFF10-\uFF9F]|${ARABIC}|\\p{Script=Hangul}`, 'u');
const HOLDS_CODE = /[`~]|^(?: {4}|\t)/mu;
/** Words by which a text speaks of what is compared letter by letter, or of its letters. */
const LETTERS_COUNT =
  /密码|密碼|口令|暗号|暗號|合言葉|パスワード|コード|全角|半角|비밀번호|암호|코드|아이디|계정|글자|띄어쓰기|파일|명령|标点|標點|句読点|文字|كلمة (?:ال)?(?:سر|مرور)|رمز|حرف|حروف|علامة|فاصلة/u;

/** Whether a text speaks of letters, or of what is compared letter by letter. */
export function speaksOfLetters(text: string): boolean {
  return LETTERS_COUNT.test(text) || namesIdentifier(text.replace(/[^A-Za-z]+/g, ' '));
}

/** A text with Chinese, Japanese, Korean and Arabic in one of several ways of writing that say the same. */
export function inOneWriting(text: string): string {
  if (!WRITTEN_SO.test(text) || HOLDS_CODE.test(text) || speaksOfLetters(text)) return text;
  const asAscii = (mark: string) => ASCII_MARK[mark] ?? mark;
  return text
    .replace(HALF_WIDTH_KANA, (kana) => kana.normalize('NFKC'))
    .replace(FULL_WIDTH_DIGITS, (digit) => digit.normalize('NFKC'))
    .replace(CJK_MARK, asAscii)
    .replace(LONG_ENDING, '')
    .replace(SPACED_UNIT, '')
    .replace(COUNTED, inDigits)
    .replace(COUNTED_IN_KOREAN, (_, numeral: string) => KOREAN_NUMERALS[numeral] ?? numeral)
    .replace(SPACED_COUNTER, '')
    .replace(TATWEEL, '')
    .replace(ACCUSATIVE, '\u0627')
    .replace(ARABIC_MARK, asAscii);
}
