import { isStopWordOf, type Language } from './language.ts';
import { NON_ASCII, type Word } from './words.ts';

/** Words so frequent that a document is indexed without them, unless it has no others. */
export const functionWords = wordSet(`
  a an the and or but if of at by for with about to from in on off out up as into than then so that this these
  those is am are was were be been being do does did has have had having will would can could should may
  i me my we us our you your he him his she her it its they them their not no
  don didn doesn isn wasn aren weren won wouldn couldn shouldn haven hasn hadn ain
`);

/** Whether a word is one of these; none is that is written as a name. */
export function isFunctionWord({ text, isName = false }: Word): boolean {
  return !isName && functionWords.has(text);
}

/** Words that only make a text a question or a request; a query is looked up without them, unless it has no others. */
const questionWords = wordSet(`
  what when where who whom whose which why how there here any some all ever many much kind type kinds types
  tell say said know remember recall please show find give let get got go went going make made
  thing things something anything someone anyone just also very really
`);

/**
 * The same in other languages, folded: who asks what was told, by whom to whom, asks about that. Of a verb only those forms, since
 * "¿Qué idiomas habla Ana?" is about speaking.
 */
const requestWords: Partial<Record<Language, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    de: `sag sage sagt sagte sagtest sagten gesagt erzahl erzahle erzahlt erzahlte erzahltest erzahlten erwahnt erwahnte erwahntest
      gesprochen besprochen geredet weisst erinnere erinnerst bitte zeig zeige such suche finde gib nenne nenn art arten sorte
      wieviel wieviele woruber woran worauf womit wofur wovon wozu wodurch worin wobei wonach woraus wogegen`,
    el: 'πες ειπε ειπες ειπα ειπαμε θυμασαι ξερεις δειξε βρες δωσε ειδος ποτε που πως γιατι ποσο ποσα ποσες ποσοι',
    es: `dime di dijo dije dijiste dijeron dijimos dicho cuentame conto conte contaste contado menciono mencione mencionaste
      mencionado hablamos hablado recuerda recuerdas recuerdame sabes favor muestrame busca dame tipo tipos`,
    fr: `dit dis disait dites raconte racontes raconter mentionne mentionnes evoque sais savez souviens souvient rappelle montre
      trouve donne sorte type genre`,
    it: `dimmi detto disse dissi raccontato racconta raccontami menzionato parlato ricordi ricorda ricordami sai favore mostrami
      trova cerca dammi tipo genere`,
    pt: `diga disse disseste dissemos dito conte contou contei contado mencionou mencionei mencionado falamos falado lembra lembras sabe
      sabes favor mostre encontre procure tipo`,
    nl: `zeg zei zeiden gezegd vertel vertelde verteld noemde genoemd gesproken besproken herinner weet alsjeblieft toon zoek vind geef
      soort waarover waaruit waarin waarvoor`,
    ru: `скажи сказал сказала сказали говорил говорила говорили расскажи рассказал рассказала рассказывал рассказывала рассказали
      упоминал упоминала упомянул упомянула обсуждали помнишь напомни знаешь пожалуиста покажи наиди дай вид`,
    pl: `powiedz powiedzial powiedziala powiedzialem powiedzialam mowil mowila mowilismy opowiedz opowiadal opowiadala wspomnial
      wspomniala rozmawialismy pamietasz przypomnij wiesz prosze pokaz znajdz daj rodzaj`,
    tr: 'soyle soyledi soyledim soyledin anlat anlatti anlattim bahsetti bahsettim konustuk hatirla hatirliyor biliyor lutfen goster bul',
    uk: `скажи сказав сказала сказали говорив говорила говорили розкажи розповів розповіла згадував згадувала обговорювали
      нагадаи знаєш покажи знаиди даи вид`,
    sv: 'sag sager sa sade sagt beratta berattade berattat namnde namnt pratade pratat minns vet snalla visa hitta ge slags',
    ar: 'قل قال قالت قلت قلنا اخبرني اخبر اخبرت ذكر ذكرت تحدثنا تحدث تتذكر تعرف ارني اعطني نوع',
    hi: 'बताओ बताइए बताया कहा बोला बोली याद दिखाओ',
  }).map(([language, words]) => [language, wordSet(words)]),
);

/** Words that memories of agents and transcripts hold everywhere, whatever English in general does. */
export const agentWords = wordSet('user agent assistant human');

/**
 * Words that only say that something was or was said, in the languages of the time expressions. A question of nothing but these
 * and a time ("What happened yesterday?") asks for all of that time.
 */
const topiclessWords = wordSet(`
  happen happened happening occur occurred event events new news update updates topic topics
  tell told ask asked said talk talked doing done been got cover covered remind down mention mentioned
  since took take place everything all accomplish accomplished achieve achieved remember discuss discussed
  spoke speak chat chatted work worked working learn learned learnt
  summary summarize recap overview activity activities conversation conversations session sessions
  memory memories note notes noted diary journal entry entries day days week weeks month months year years
  alles woruber worum wovon erinnerst erinnere erzahlt erzahlte gesagt fasse zusammen zusammenfassung tag tage
  passiert passierte geschah geschehen gemacht getan besprochen geredet gesprochen gearbeitet ereignisse erlebt
  gelernt gab gibt los
  dije dijo dicho conte resume resumen dia paso sucedio ocurrio hice hicimos hablamos hablado trabajamos hecho
  pasado eventos nuevo novedades
  tout qu ai dit dis raconte resume journee jour passe passee fait faits discute parle travaille evenements
  nouveau nouvelles
  successo accaduto fatto parlato discusso lavorato eventi novita
  tudo disse aconteceu fizemos feito falamos conversamos trabalhamos acontecimentos novidades
  gebeurd gebeurde gedaan besproken gepraat gewerkt gebeurtenissen nieuws
  случилось произошло было делали делал сделали говорили обсуждали работали события нового
  robilem robilam robilismy robil bylem bylam bylo stalo dzialo wydarzylo mowilismy
  yaptim yaptik yapti oldu konustuk
  فعلت فعلنا حدث حصل كنت
  किया हुआ था थी
  했어 했지 했나
  发生 發生 生了 事情 做过 聊了 聊过 谈过 出来 来事 起き 話し 話し 会話 記録 仕事
`);
/**
 * Function words that make it a question about something all the same, which was mentioned before or is to come: "Can you do this
 * today?", "What must I do today?"
 */
const topicalFunctionWords = wordSet(`
  it this that these those das dies dieses diese eso esto ca cela cio dat это то
  should must will shall need due muss mussen soll sollen wird werden debo debemos tengo dois devons devo dobbiamo moet moeten
`);
/** The same of scripts without spaces, and what only asks there. */
const topiclessGram = /^[\p{sc=Hiragana}何事誰谁話会教出来起記録見]+$/u;

/** Hiragana mostly spells endings and particles; these Han characters are the most frequent function words. */
const grammaticalGram = /^\p{sc=Hiragana}+$|[的了是我你您他她它們们这這那什么麼吗嗎呢吧在有不和也都就]/u;

/**
 * What only asks, or names the user, of whom most memories are, in scripts without spaces: Chinese, Japanese, Korean, Thai. There a
 * word is told by its pairs of characters, also by those it makes with the words beside it.
 */
const UNSPACED_QUESTIONS = new RegExp(
  [
    '(?<!\\p{sc=Hangul})(?:뭐|뭘|뭔|무얼|무엇|무슨|어느|어떤|어떻게|어때|어디|언제|누구|누가|누굴|얼마나?|몇|왜)(?:야|지|니|이?고|[예에]요|였[지어]|인지|인가요?|이?죠|에서?|로|까지|부터|[를을가이의]|(?:한테|에게)서?)?(?!\\p{sc=Hangul})',
    '(?<!\\p{sc=Hangul})(?:있|되|하|해야 하|했|됐)(?:고|나요?|어요?|습니까|지요?|죠)(?!\\p{sc=Hangul})|(?<!\\p{sc=Hangul})(?:관한|대한|대해|안|못)(?!\\p{sc=Hangul})',
    '[为為]何|何[时時处處地人]|怎[样樣]|哪一?[個个種种家位天本件間间條条台張张隻只]',
    '什[么麼](?:时候|時候|地方|样的|樣的|东西|東西)?|[为為]什[么麼]|怎[么麼][样樣]?|如何|[谁誰]',
    '多少[钱錢]?|多[久长長大远遠]|几(?=[个點点岁號号条條楼位次年月日天])|[幾]',
    '哪(?:里|裡|儿|兒|个|個|些|位|家|种|種|年|天|(?!吒))|[吗嗎呢](?=[?？。!！\\s]|$)',
    '(?:使用者|用[户戶])(?![名界体體组組协協权權管数數手群端量行])',
    '何(?=[\\p{sc=Hiragana}人年月日時歳個本冊枚回度])|いつ(?!も)|どこ|どの|どれ|どんな|なぜ|いくつ|いくら|ユーザー?(?=[のはがをにへとも])',
    '(?:私|僕|俺|わたし|ぼく)(?:たち)?(?=[のはがをにもへと])|(?<=[\\p{sc=Han}\\p{sc=Katakana}ー])(?:さん|ちゃん|くん)(?![まご])',
    '[还還]?[记記]得|告[诉訴]我|(?<=[你我])[说說]',
    '(?<!\\p{sc=Hangul})(?:(?:제|내)(?:가|게)?|나(?:는|를|도|의|에게|한테)|저(?:는|를|도|의|에게|한테)|(?:저희|우리)(?:[가는를도의]|에게|한테)?|(?<=[는은한된던을할] )[것거게건걸][은을이는를]?)(?!\\p{sc=Hangul})',
    '(?<!\\p{sc=Hangul})며칠(?:날)?(?:에|이(?:에요|야|지|죠)|까지|부터)?(?!\\p{sc=Hangul})',
    '무엇|무슨|언제|어디|누구|누가|얼마나?|어떤|사용자(?=[가는은의를이에])',
    'อะไร|ที่ไหน|เมื่อไหร่|เมื่อไร|ใคร|ทำไม|อย่างไร|เท่าไหร่|เท่าไร',
  ].join('|'),
  'gu',
);

/** A question without what only asks, as far as scripts without spaces go. */
export function withoutQuestionWords(query: string): string {
  return NON_ASCII.test(query) ? query.replace(UNSPACED_QUESTIONS, ' ') : query;
}

/** Whether a query is looked up without the word unless it has no others. */
export function isStopWord({ text, kind, isName = false }: Word, language: Language | undefined): boolean {
  if (kind === 'gram' || isName) return false;
  if (language !== undefined && language !== 'en' && isStopWordOf(language, text)) return true;
  if (language !== undefined && requestWords[language]?.has(text)) return true;
  return questionWords.has(text) || functionWords.has(text);
}

/** Whether a word names something that a memory might be about, rather than only that something was. */
export function isTopical(word: Word, language: Language | undefined): boolean {
  const { text, kind, isName = false } = word;
  if (isName) return true;
  // Their parts, and the pairs of characters that a single one stands in, are words too.
  if (kind === 'verbatim' || (kind === 'gram' && text.length === 1)) return false;
  if (topicalFunctionWords.has(text)) return true;
  if (topiclessWords.has(text) || agentWords.has(text) || isStopWord(word, language)) return false;
  return !(kind === 'gram' && (isGrammatical(word) || topiclessGram.test(text)));
}

/** Whether one or two characters of a script without spaces are mostly grammar. */
export function isGrammatical({ text, kind, endsWord = false }: Word): boolean {
  return kind === 'gram' && (endsWord || grammaticalGram.test(text));
}

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter(Boolean));
}
