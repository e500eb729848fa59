import { words } from './word-groups.ts';

/** Words that say nothing about subject or value. Prepositions among them divide one part of a sentence from another. */
export const FUNCTION_WORDS = words(`
  a an the this that these those and or so as then there here it its it's is am are was were be been being 's
  i'm you're we're they're he's she's that's i've we've you've they've im
  i me my mine we us our ours you your yours he him his she her hers they them their theirs who which what said says say mentioned mentions told tells stated noted explained confirmed that must should need ought soll sollte muss mussen debe deberia doit devrait
  has have had having do does did will would shall can get gets got gotten
  very really just quite about approximately roughly around only nur bloss solo seulement still always again currently already honestly actually btw fyi
  again please note well also too up down out off over yet only even own
  der die das den dem des ein eine einen einem einer eines und oder es ich wir sie er mein meine meinen meiner unser unsere
  ihr ihre sein seine ist sind war waren bin wird werden wurde wurden hat haben hatte auch noch schon wieder sehr sich dass
  el la los las lo un una unos unas y o yo tu su sus mi mis nuestro nuestra se es son era fue esta estan estoy ha han he muy
  le les l' d' j' n' s' c' qu' je tu il elle nous vous ils elles mon ma mes notre nos son sa ses leur et ou est sont etait
  suis a ai as avons ont ete tres ce cet cette que qui
  o um uma uns umas eu eles elas meu minha meus minhas nosso nossa seu seus suas muito
  il lo gli noi voi loro mio miei mie nostro nostra suo molto si è
  de het een ik jij hij zij wij jullie mijn onze haar hun worden zeer
  я ты он она мы вы они мой моя моё наш наша наше его её их это и был была было очень же
  oni mój moja moje nasz nasza nasze jego jej się i
  biz siz onlar benim bizim ve bir bu 저는 나는 우리는 제 내 우리 أنا نحن
  已 已经 正在 的 了 是 成 为 我的 我 我们 你 您 他 她 它 们 这 那 个 也 都 就 着 过 吗 呢 吧 很 被 把 私 僕 俺 です ます
`);

/** Function words between which a new part of the sentence begins. */
export const DIVIDERS = words(`
  in on at by for about with from into to under onto through during until till per via against within without between near than as
  because when while if and or over
  auf an am im bei mit fur von vom zu zum zur aus nach uber unter um bis seit in und oder wenn als ab
  en con por para al de del desde hasta sin sobre y o cuando
  au aux dans sur pour avec par chez vers des du des et ou quand sous
  em na nas nos dos das com alla alle allo nella nello nei dalla sul sulla op van voor naar bij tot
  в во на с со к ко у от из за под при по для через w z ze od przy po dla przez için ile في من إلى على مع عن
  在 从 到 以 和 跟 对 に で を が は へ と から まで の より も 은 는 가 을 를 에 에서 에게 으로 로
`);
/** Behind them a sentence says something of what stands before: "会議は", "회의는", "服务器在". */
export const TOPIC_MARKS = words('は が 在 은 는 가');

/** Joins two words of one name: "Bank of America". */
export const JOINERS = words('of the a an and de di la der die das del du des van von des の 的 & -');

/** Names of single attributes. */
export const ATTRIBUTES = words(`
  name age birthday birth address email e-mail mail phone telephone mobile id title role job employer manager boss owner password
  version port host hostname url uri path branch status state deadline date day time budget price cost rate size limit timeout
  color colour language timezone city country location place capital currency default favorite favourite preferred primary
  current latest on-call oncall editor linter framework database engine provider channel region zone remote plan mode theme model
  ceo cto cfo president director head lead doctor dentist teacher wife husband partner landlord tutor coach bank insurer weight height
  interval schedule frequency threshold count total policy strategy type kind format method algorithm encoding protocol tone style layout diet key token secret license carrier domain vendor supplier theme font codeowner
  telefonnummer nummer adresse preis farbe lieblingsfarbe sprache chef chefin lehrer klassenlehrer klassenlehrerin arzt zahnarzt
  frist termin tarif passwort
  nombre direccion telefono precio color idioma jefe jefa fecha favorito favorita puerto equipo
  nom adresse numero prix couleur langue patron chef delai prefere preferee
  nome endereço preço cor senha reunião médico dentista gerente indirizzo prezzo colore lingua riunione medico preferito preferita
  naam adres prijs kleur taal baas vergadering tandarts wachtwoord имя адрес телефон цена цвет язык начальник порт встреча врач
  стоматолог бухгалтер менеджер пароль adres telefon cena kolor język szef spotkanie lekarz hasło fiyat renk toplantı doktor müdür şifre
  회의 이름 주소 전화번호 가격 담당자 매니저 الاجتماع مديري المدير العنوان السعر الهاتف
  名前 住所 電話番号 担当者 上司 社長 部長 家賃 職業 会議 好きな 色 负责人 会议 例会 周会 名字 地址 电话 价格 颜色 老师 老板 经理 手机号 房租
`);

/** Attributes that say where something is. */
export const PLACE_ATTRIBUTES = words(
  'address location place city country region zone adresse direccion 住所 地址',
);

/** Words for a person of whom much is told. */
export const PEOPLE = words(`
  user customer client patient student nutzer nutzerin benutzer benutzerin kunde kundin usuario usuaria cliente utilisateur utilisatrice
`);

/** Keys of open lists. */
export const LIST_KEYS = words(`
  todo to-do task step lesson learned question note idea ingredient tag friend child hobby skill example reason goal item
  member attendee participant dependency contributor guest bug issue fact reminder tip warning decision feature requirement allergy
  pet interest quote link memo problem risk cause culprit zutat zutaten aufgabe notiz mitglied schritt idee miembro tarea nota paso ingrediente
  membre tache etape remarque
  friends kids children pets cat dog puppy kitten horse contact clients customers colleague coworker neighbour neighbor
  variable var table preference sibling cousin nephew niece katze hund kunden gato perro clientes chat chien
`);

/** What alone before a colon names a list: "Shopping: eggs", "To buy: eggs". Within a longer name it does not: "read timeout: 30s". */
export const LIST_NAMES = words(`
  shopping shopping-list grocery groceries buy purchase purchases packing pack errand errands chore chores wish wishes wishlist gift gifts
  present presents remember forget read watch listen movie movies film films book books song songs series recipe recipes plant plants
  visit visited seen met bought donated borrowed lent spent paid expense expenses payment payments win wins loss losses
  einkauf einkaufe einkaufen einkaufsliste besorgen kaufen packliste mitnehmen wunsch wunsche wunschliste geschenk geschenke merken lesen
  ausgabe ausgaben rezept rezepte buch bucher filme compra compras comprar regalo regalos deseo deseos recado recados receta recetas
  pelicula peliculas libro libros gasto gastos courses acheter achat achats cadeau cadeaux souhait souhaits recette recettes livre livres
  depense depenses spesa spese comprare regali ricetta ricette lettura letture boodschap boodschappen kopen cadeautjes
  inkop inkopslista handla kopa presenter zakupy kupic prezenty покупки купить подарки 장보기 쇼핑 買い物 買物 购物 采购
`);
/** A name that holds one of these names a list: "shopping list", "lista de la compra". */
export const LIST_WORDS = words('list liste lista lijst リスト 清单 列表');

/** Words that may be left unsaid, since the value or the verb tells. */
export const SOFT_WORDS = words(`
  version release port number value name named called date time day amount rate price cost level status state currently member
  user's this week month year every each main total mr ms mrs nummer preis termin precio fecha prix service job team project cluster bill
  place ticket box fare length duration favorite favourite preferred current feature
  自宅
`);

/** Words that say where or in which case a fact holds; what holds in one says nothing of another. */
export const SCOPES = words(`
  staging stage production prod dev development test testing ci local laptop qa sandbox preview canary default testumgebung
  produktion entorno produccion pruebas
  first second third fourth other another older younger elder left right upper lower minimum maximum min max private personal
  work business primary secondary backup internal external inner outer read write source target incoming outgoing
  old legacy former previous next last
  mother father sister brother son daughter wife husband twin uncle aunt cousin
  mutter vater schwester bruder sohn tochter madre padre hermana hermano hijo hija mere pere soeur frere fils fille
  except only unless exception weekend
`);

export const FIRST_PERSON = words(`
  i im i'm i've i'd i'll we we're we've we'll ich wir je j' nous yo vivo vivimos nos trabajo uso 我 我们 私 僕 mudé eu moro moramos
  mudei mudei-me io abito abitiamo siamo ik wij я мы живу живём mieszkam mieszkamy przeprowadziłem przeprowadziłam yaşıyorum oturuyorum taşındım
    저는 나는 우리는 أسكن أعيش انتقلت
`);
export const DETERMINERS = words(
  'the my our your his her their der die das mein meine unser unsere el la mi nuestro nuestra le mon ma notre',
);
export const INDEFINITE = words('a an ein eine einen una un une');
export const PER = words('per pro par por a an');
export const AUXILIARY = words(
  'is are was were be been being has have had having get gets got im ist sind wurde wird son es est sont a ont',
);
export const PAST_VERBS = words(`
  ran met saw went bought paid ate drank wrote gave took made found spent flew drove won lost sent came felt heard slept read_out visited
`);
export const CLAUSE_ENDS: ReadonlySet<string> = new Set(',;.!?。、，；！？(（)）…');
export const FROM = words('from von de du desde');
export const FROM_ENGLISH = words('from of');
export const TO = words('to auf zu nach a al vers into onto with by mit durch por par');
export const BUT = words('but as als como comme sondern sino mais aber pero and und y et now');
export const TAKING_OVER = words(
  'became becomes become took takes joins joined replaces replaced succeeds succeeded elected appointed gewahlt ernannt wurde',
);
export const MOVING =
  /^(?:mov|relocat|migrat|transferr|umgezogen|gezogen|mud|demenag|emmenag|引っ越|搬|trasferit|verhuis|переех|przeprowadz|tas[iı]n|이사|انتقل|迁移|迁到|移行|移り|移し|移転)/;
/** Verbs of whoever works for another from then on, or is in another club. */
export const JOINING = words('joined joins rejoint hired started_at 跳槽到 跳槽 転職 이직했다 이직했어요');
export const PAST_DAYS = words('yesterday gestern ayer hier ontem ieri gisteren 昨天 昨日 어제');
export const NEW = words(
  'new neu neue neuen neuer neues nuevo nueva nouveau nouvelle novo nova nuovo nuova nieuw nieuwe новый новая новое nowy nowa nowe yeni 새 الجديد الجديدة 新 新しい',
);
export const PLACED = words('at in on under bei auf im en dans chez');
/** The owner stands behind these. */
export const BELONGS = /\b(?:belong|gehör|pertenece|appartien|appartiene|pertence)/u;
/** Beginnings of verbs by which something becomes another. */
export const CHANGING =
  /^(?:cambi(?:o|a|e)|actualiz|traslad|reemplaz|sustituy|aument|adelant|subid|bajad|bajaron|subieron|verlegt|verschob|umgestell|umbenann|aktualisier|gewechsel|geander|angehob|vorverleg|ersetzt|rebuilt|rewrit|rewrot|redid|redone|redesign)/;
/** Verbs that bid; with "from now on" they say what is so. */
export const BIDDING = words('should soll sollte sollen deberia');
/** Words behind which what was before is told. */
export const BEFORE = words('before bevor antes');
