import { groups, words } from './word-groups.ts';

/** What a verb says of its subject; `be` and `have` tell nothing by themselves. */
export type Relation = keyof typeof RELATIONS;
const RELATIONS = {
  live: `live lives living lived reside resides residing based home wohne wohnt wohnen wohnst lebe lebt leben sitzt ansassig vivo vive viven
    vivimos vives habito habita habite habites habitent habitons vis vit vivons 住 住む 住ん 住在 居住 定居`,
  work: `work works working employed employee arbeite arbeitet arbeiten trabajo trabaja trabajan travaille travaillent
    travailles 働く 働い 働 勤め 工作 上班 teacher teaches`,
  stay: `located stored stores hosted hosts kept lives_in resides takes_place take_place taking_place held stehen steht
    liegt befindet findet_statt sits reachable stays`,
  run: `run runs running listens listening bound laufen lauft tourne ejecuta corre`,
  use: `use uses using verwenden verwendet verwende nutzen nutzt nutze benutzen benutzt uso usa usan usamos utilise utilisons
    utilisent utiliza utilizan utilizamos 使っ 使う 使 使用 用`,
  cost: `cost costs charge charges kostet kosten betragt betragen cuesta cuestan coute coutent`,
  named: `called named heisst heissen llama llaman appelle appelles appelee appele 叫`,
  own: `own owns owned owner ownership maintain maintains maintained maintainer responsible zustandig lead leads leading manages
    managed assigned belongs gehort responsable encargado leitet betreut`,
  begin: `start starts beginnt empieza empiezan commence commencent begins opens ouvre abre leaves`,
  finish: `end ends expires expire endet termina terminan finit ferme cierra`,
  study: `attend attends attending study studies studying studied studiert studiere estudia estudio etudie`,
  weigh: `weigh weighs wiegt pesa pese`,
  drive: `drive drives driving fahrt conduce conduit`,
  pin: `pinned set configured`,
  report: `reports reporting`,
  planned: `scheduled due planned`,
  // Known by the "with" behind it.
  tool: `by_means_of`,
  like: `like likes liked love loves enjoy enjoys enjoying mag liebe liebt gusta gustan encanta encantan aime aimes aimons adore
    喜欢 喜歡 爱 好き hate hates dislikes allergic interested
    allergisch alergico alergica allergique`,
  want: `want wants wanting mochte will_haben quiere quiero veut veux need needs requires require required braucht necesita`,
  know: `speak speaks knows know learns learning play plays playing spricht spielt spiele habla hablo juega parle joue
    reads reading watches read_book owns_a collects teach`,
  contain: `include includes contains contain supports holds`,
  prefer: `prefer prefers prefiero prefiere prefere bevorzuge bevorzugt`,
  have: `has have had having i've hat habe haben hatte tengo tiene tienen tenemos ont avons 有 ある`,
  be: `is are am was were be been i'm we're he's she's they're 's ist sind bin es son soy esta estan estoy est sont suis 是 です`,
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

/** Words that say that a relation has changed. */
const IMPLYING: ReadonlyMap<Relation, readonly string[]> = new Map([
  ['live', ['moved', 'relocated']],
  ['work', ['joined', 'hired', 'quit']],
]);

/** For each relation that has one value at a time, the words by which it is told. */
export function wordsOfRelations(): string[][] {
  return [...SINGLE_RELATIONS].map((relation) => [
    ...words(RELATIONS[relation]),
    ...(IMPLYING.get(relation) ?? []),
  ]);
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
