import { namesIdentifier } from './identifier-scope.ts';

const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー`;
const ARABIC = String.raw`\p{Script=Arabic}`;

/** Between a word of Chinese or Japanese and one of other letters or digits, where a space is set or not. */
const SCRIPT_BORDER = new RegExp(`(?<=[${CJK}])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[${CJK}])`, 'u');

const HALF_WIDTH_KANA = /[\uFF66-\uFF9F]+/gu;
const FULL_WIDTH_DIGITS = /[\uFF10-\uFF19]/gu;
/** Full-width marks beside a word of Chinese or Japanese, as which those of ASCII are read there. */
const CJK_MARK = new RegExp(`(?<=[${CJK}]["”’」』]?)[，：；！？。]`, 'gu');
const ASCII_MARK: Readonly<Record<string, string>> = {
  '，': ',',
  '：': ':',
  '；': ';',
  '！': '!',
  '？': '?',
  '。': '.',
  '،': ',',
  '؛': ';',
  '؟': '?',
};
const ARABIC_MARK = new RegExp(`(?<=${ARABIC}\\p{M}*)[،؛؟]`, 'gu');
/** Stretches a word, and says nothing. */
const TATWEEL = new RegExp(`(?<=${ARABIC}\\p{M}*)\u0640+(?=${ARABIC})`, 'gu');
/** The accusative of what has no article, which the alif says by itself. */
const ACCUSATIVE = new RegExp(`(?<=${ARABIC}{2})(?:\u064b\u0627|\u0627\u064b)(?!\\p{L})`, 'gu');

/** The words of a run of Chinese or Japanese and of other letters, as they are with spaces between these. */
export function splitAtBorders(run: string): readonly string[] {
  return run.split(SCRIPT_BORDER);
}

const WRITTEN_SO = new RegExp(`[${CJK}\uFF10-\uFF9F]|${ARABIC}`, 'u');
const HOLDS_CODE = /[`~]|^(?: {4}|\t)/mu;
/** Words by which a text speaks of what is compared letter by letter, or of its letters. */
const LETTERS_COUNT =
  /密码|密碼|口令|暗号|暗號|合言葉|パスワード|コード|全角|半角|标点|標點|句読点|文字|كلمة (?:ال)?(?:سر|مرور)|رمز|حرف|حروف|علامة|فاصلة/u;

/** Whether a text speaks of letters, or of what is compared letter by letter. */
export function speaksOfLetters(text: string): boolean {
  return LETTERS_COUNT.test(text) || namesIdentifier(text.replace(/[^A-Za-z]+/g, ' '));
}

/** A text with Chinese, Japanese and Arabic in one of several ways of writing that say the same. */
export function inOneWriting(text: string): string {
  if (!WRITTEN_SO.test(text) || HOLDS_CODE.test(text) || speaksOfLetters(text)) return text;
  const asAscii = (mark: string) => ASCII_MARK[mark] ?? mark;
  return text
    .replace(HALF_WIDTH_KANA, (kana) => kana.normalize('NFKC'))
    .replace(FULL_WIDTH_DIGITS, (digit) => digit.normalize('NFKC'))
    .replace(CJK_MARK, asAscii)
    .replace(TATWEEL, '')
    .replace(ACCUSATIVE, '\u0627')
    .replace(ARABIC_MARK, asAscii);
}
