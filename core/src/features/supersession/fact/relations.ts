import type { Language } from '../../../text/language.ts';
import { groups, words, wordsByLanguage } from './word-groups.ts';

/** What a verb says of its subject; `be` and `have` tell nothing by themselves. */
export type Relation = keyof typeof RELATIONS;
const RELATIONS = {
  // The words of each language between bars: a fact in one is looked up by words of the same.
  live: `live lives living lived reside resides residing based home | wohne wohnt wohnen wohnst lebe lebt leben sitzt ansassig zuhause hause |
    vivo vive viven vivimos vives | habito habita habite habites habitent habitons vis vit vivons | 住 住む 住ん | 住在 居住 定居 |
    moro mora moram moramos vivemos | abito abita abitano abitiamo vivo vive vivono viviamo risiede | woon woont wonen |
    живу живёт живут живём проживает | mieszkam mieszka mieszkają mieszkamy | yaşıyor yaşıyorum yaşıyoruz oturuyor oturuyorum |
    산다 살아요 삽니다 살고 거주 | أسكن يسكن تسكن نسكن أعيش يعيش تعيش`,
  work: `work works working employed employee arbeite arbeitet arbeiten trabajo trabaja trabajan travaille travaillent
    travailles 働く 働い 働 勤め 工作 上班 teacher teaches trabajar travailler lavorare trabalhar trabalho trabalha trabalham lavoro lavora lavorano werkt werken работаю работает
    работают pracuję pracuje pracują çalışıyor çalışıyorum 일한다 일해요 근무 أعمل يعمل تعمل`,
  stay: `located stored stores hosted hosts kept lives_in resides takes_place take_place taking_place held stehen steht
    liegt befindet findet_statt sits reachable accessible erreichbar zuganglich accesible joignable stays fica ficam staat ligt bevindt находится хранится znajduje bulunuyor`,
  run: `run runs running listens listening bound laufen lauft tourne ejecuta corre`,
  use: `use uses using verwenden verwendet verwende nutzen nutzt nutze benutzen benutzt uso usa usan usamos utilise utilisons
    utilisent utiliza utilizan utilizamos 使っ 使う 使 使用 用 utilizzo utilizza utilizzano utilizziamo usiamo usano gebruik gebruikt gebruiken
    использую использует используем используют używam używa używamy kullanıyor kullanıyorum kullanıyoruz 사용한다 사용해요 أستخدم يستخدم نستخدم`,
  cost: `cost costs charge charges kostet kosten betragt betragen cuesta cuestan coute coutent custa custam costano стоит стоят kosztuje kosztują tutuyor يكلف تكلف`,
  named: `called named heisst heissen llama llaman appelle appelles appelee appele 叫 chama chiama heet зовут называется nazywa`,
  own: `own owns owned owner ownership maintain maintains maintained maintainer responsible zustandig lead leads leading manages encargada
    managed assigned belongs gehort responsable encargado leitet betreut responsável responsabile gestisce verantwoordelijk beheert отвечает odpowiada`,
  begin: `start starts beginnt empieza empiezan commence commencent begins opens ouvre abre leaves começa começam inizia iniziano begint начинается открывается zaczyna başlıyor başlar`,
  finish: `end ends expires expire endet termina terminan finit ferme cierra finisce chiude eindigt заканчивается закрывается kończy bitiyor`,
  study: `attend attends attending study studies studying studied studiert studiere estudia estudio etudie`,
  weigh: `weigh weighs wiegt pesa pese`,
  drive: `drive drives driving fahrt conduce conduit`,
  pin: `pinned set configured`,
  report: `reports reporting`,
  planned: `scheduled due planned`,
  // Known by the "with" behind it.
  tool: `by_means_of`,
  like: `like likes liked love loves enjoy enjoys enjoying mag liebe liebt gusta gustan encanta encantan aime aimes aimons adore
    gosto gosta gostam piace piacciono houdt люблю любит нравится lubię lubi seviyor seviyorum 喜欢 喜歡 爱 好き hate hate hates hated dislike dislikes detest detests hasse hasst detesta detesto odia deteste ненавижу ненавидит allergic interested
    allergisch alergico alergica allergique`,
  want: `want wants wanting mochte will_haben quiere quiero veut veux need needs requires require required braucht necesita`,
  know: `speak speaks knows know learns learning play plays playing spricht spielt spiele habla hablo juega parle joue
    reads reading watches read_book owns_a collects teach`,
  contain: `include includes contains contain supports holds`,
  prefer: `prefer prefers prefiero prefiere prefere bevorzuge bevorzugt prefiro preferisco preferisce предпочитаю предпочитает wolę woli preferuje`,
  have: `has have had having i've hat habe haben hatte tengo tiene tienen tenemos ont avons 有 ある tenho tem temos abbiamo heb heeft hebben имеет mam`,
  be: `is are am was were be been i'm we're he's she's they're 's ist sind bin es son soy esta estan estoy est sont suis 是 です هو هي sou sono zijn является 있어요 있습니다 있다 이에요 예요 입니다 이다`,
} as const;
export const relations: ReadonlyMap<string, Relation> = groups(RELATIONS);
/** Relations of which a subject has one object at a time. */
export const SINGLE_RELATIONS: ReadonlySet<Relation> = new Set<Relation>([
  'live',
  'work',
  'stay',
  'run',
  'cost',
  'named',
  'own',
  'begin',
  'finish',
  'weigh',
  'study',
  'pin',
  'report',
  'planned',
  'tool',
]);

/** Words that say that a relation has changed, by language as above. */
const IMPLYING: Readonly<Partial<Record<Relation, string>>> = {
  live: `moved relocated | umgezogen gezogen zog | mudé mudó mudamos mudado | déménagé | 引っ越し 引っ越 引っ 越 | 搬到 搬家 搬回 搬 |
    mudei mudou mudei-me mudou-se | trasferito trasferita trasferiti | verhuisd verhuisde | переехал переехала переехали |
    przeprowadziłem przeprowadziłam przeprowadził przeprowadziła | taşındım taşındı taşındık | 이사했다 이사했어요 이사했습니다 | انتقلت انتقل انتقلنا`,
  work: 'joined hired quit',
};

/** Of the lists that stand between bars; undefined for Japanese, Chinese and Korean, whose words have no other stems. */
const LANGUAGES: readonly (Language | undefined)[] = [
  ...(['en', 'de', 'es', 'fr'] as const),
  ...[undefined, undefined],
  ...(['pt', 'it', 'nl', 'ru', 'pl', 'tr'] as const),
  undefined,
  'ar',
];

/** Words by which a relation is told in one language. */
interface WordsOfRelation {
  /** Of a list without bars, English. */
  readonly language: Language | undefined;
  readonly words: readonly string[];
}

/** For each relation that has one value at a time, and each language, the words by which it is told. */
export function wordsOfRelations(): WordsOfRelation[] {
  return [...SINGLE_RELATIONS].flatMap((relation) => {
    const implying = wordsByLanguage(IMPLYING[relation] ?? '');
    return wordsByLanguage(RELATIONS[relation]).map((own, at) => ({
      language: LANGUAGES[at],
      words: [...own, ...(implying[at] ?? [])],
    }));
  });
}

/** Relations of which a subject may have any number of objects: these are open lists. */
export const OPEN_RELATIONS: ReadonlySet<Relation> = new Set<Relation>([
  'like',
  'want',
  'know',
  'contain',
  'have',
  'prefer',
]);

/** Verbs that tell nothing by themselves. */
export const AUXILIARIES: ReadonlySet<Relation> = new Set<Relation>(['be', 'have']);

/** Words for the opposite of liking. */
export const DISLIKING = words(
  'hate hates hated dislike dislikes detest detests hasse hasst detesta detesto odia deteste ненавижу ненавидит',
);

/** Relations that "is" may stand for: "is on port 80", "runs on port 80". */
export const PLAIN_RELATIONS: ReadonlySet<Relation> = new Set<Relation>([
  'stay',
  'run',
  'cost',
  'named',
  'weigh',
  'pin',
  'planned',
  'own',
]);

/** Verbs that one tool at a time is done "with". */
export const TOOL_VERBS = words(`
  deploy deploys deployed build builds built format formats formatted lint lints linted compile compiles compiled bundle bundles
  bundled monitor monitors monitored done made managed handled tracked signed packaged
`);
export const WITH = words('with via using mit con avec');
