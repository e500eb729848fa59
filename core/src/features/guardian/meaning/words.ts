/** Words by which a sentence turns, in the languages agents are mostly written in; without claim to be complete. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

export const NEGATIONS = wordSet(`
  no not never none nobody nothing nowhere neither nor cannot without n't hardly rarely seldom refuse refuses stop stops
  nicht nie niemals kein keine keinen keinem keiner keines nichts niemand nirgends ohne weder noch kaum nein
  nunca jamás nada nadie ningún ninguna ninguno sin ni tampoco
  ne pas jamais rien personne aucun aucune sans non mai niente nessuno senza não nunca nada ninguém sem
`);

export const MODALS = wordSet(`
  must may might can could should shall will would ought need needs has have allowed forbidden required optional
  muss musst müssen darf darfst dürfen kann kannst können soll sollst sollen sollte sollten wird werden will wollen
  debe debes deben debo puede puedes pueden puedo podría debería tiene tengo
  doit doivent peut peuvent deve devono può possono pode podem
`);

export const SCOPE_WORDS = wordSet(`
  only except unless until also all every each any some most many few both either always sometimes usually often
  if when whenever while before after because but than more less least at-least solely just even besides instead
  nur außer bis auch alle alles jeder jede jedes einige manche immer manchmal oft wenn falls sobald bevor nachdem mehr
  weniger mindestens höchstens sondern aber
  solo sólo excepto salvo hasta también todo todos toda todas cada algún algunos siempre si cuando antes después más menos pero
  seulement sauf aussi tout tous toujours avant après plus moins solo anche tutti sempre só também todos sempre
`);

export const PRONOUNS = wordSet(`
  i me my mine you your yours he him his she her hers it its we us our ours they them their theirs
  ich mich mir mein meine du dich dir dein deine er ihn ihm sein seine sie ihr ihre wir uns unser ihnen
  yo mi mis tú tu tus él ella su sus nosotros nuestro ellos ellas
`);

export const UNITS = wordSet(`
  ms s sec secs second seconds min mins minute minutes h hour hours day days week weeks month months year years
  b kb mb gb tb kib mib gib tib bytes byte bit bits hz khz mhz ghz w kw km m cm mm mi ft in kg g mg lb oz l ml
  usd eur gbp dollars dollar euros euro pounds cents percent % $ € £ °c °f
  sekunde sekunden minuten stunde stunden tag tage woche wochen monat monate jahr jahre prozent
  segundo segundos minutos hora horas día días semana semanas mes meses año años
`);

export const DATE_WORDS = wordSet(`
  monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
  october november december today tomorrow yesterday
  montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember heute morgen
  lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre
  noviembre diciembre hoy mañana ayer
`);

/** Pairs of which each says the contrary of the other. */
export const OPPOSITES: ReadonlyMap<string, string> = new Map(
  `
  always/never trust/distrust allow/deny allow/forbid allow/refuse keep/break accept/reject accept/refuse before/after
  more/less max/min maximum/minimum most/least include/exclude enable/disable open/close public/private show/hide
  share/keep protect/expose help/harm honest/dishonest safe/unsafe true/false yes/no on/off up/down increase/decrease
  start/stop first/last best/worst good/bad right/wrong approve/reject everyone/nobody everything/nothing with/without
  obey/disobey obey/refuse confirm/deny friend/enemy internal/external love/hate send/receive buy/sell agree/disagree
  immer/nie immer/niemals mit/ohne vor/nach mehr/weniger erlauben/verbieten ehrlich/unehrlich vertraue/misstraue
  siempre/nunca con/sin antes/después más/menos permitir/prohibir honesto/deshonesto
  `
    .trim()
    .split(/\s+/)
    .flatMap((pair) => {
      const [one = '', other = ''] = pair.split('/');
      return [
        [one, other],
        [other, one],
      ] as const;
    }),
);

/** Nouns after which a name follows that machines compare letter by letter. */
export const IDENTIFIER_NOUNS = wordSet(`
  branch branches file files folder folders directory path user username users account accounts login password
  passwords passphrase passcode pin code token tokens key keys host hostname server domain repo repository channel
  query queries search searches filter filters regex glob globs wildcard wildcards script scripts expression expressions
  option options parameter parameters config
  motto slogan nick nickname codeword word alias callsign spelled spelt
  method methods function functions property properties attribute attributes css variable variables env named called matching pattern patterns host hosts command commands flag tag table column database bucket id handle role group package module
  datei dateien ordner verzeichnis pfad zweig benutzer konto passwort kennwort schlüssel befehl kanal
  archivo archivos carpeta ruta rama usuario cuenta contraseña clave comando canal
`);

/** Of these the ones whose names have no full stop at their end, so that one there ends the sentence. */
export const STOPLESS_NOUNS = wordSet(`
  branch branches folder folders user username users account accounts server channel repo repository nick nickname
  named called table column database bucket role group package module
  ordner verzeichnis zweig benutzer konto kanal carpeta rama usuario cuenta canal
`);

/** Names of things that are plain words too, beside those a dictionary lists with a capital. */
export const NAMED_THINGS = wordSet(`
  main master develop dev prod production staging slack signal rust go swift stripe square notion linear discord zoom
  meta alphabet box edge chrome spring express react next node bun deno ruby perl java dart crystal julia
`);

/** Words written in capitals for emphasis, and no abbreviations or names of anything. */
export const SHOUTED = wordSet(`
  not do all any and but you never always only must every very please before after first ask nothing nobody
  nie nur und oder immer nicht kein keine alle nunca siempre solo no jamais toujours ni
`);

/** Beginnings of words by which a text speaks of how it is emphasised, in many languages: rather too many than too few. */
export const FORM_STEMS = new RegExp(
  [
    String.raw`\b(?:mark(?!et|us\b)|emphas|highlight|stress(?:ed|es)|bold|strong\b|italic|star(?:s|red)?\b|asterisk)`,
    String.raw`\brfc ?\d|\b(?:shout|caps\b|capital|upper.?case|lower.?case|letters\b|font|format|underlin|typograph)`,
    'fett|kursiv|hervorgehob|hervorheb|markier|betont|großgeschrieb|großbuchstab|schrift',
    String.raw`gras\b|italique|majuscul|soulign|surlign|negrit|cursiv|mayúscul|subray|resalt|destac|itálic|maiúscul`,
    String.raw`grassett|corsiv|maiuscol|evidenzi|sottoline|\bvet(?:te)?\b|vetgedrukt|cursief|hoofdletter|gemarkeerd|nadruk`,
    'fetstil|fed skrift|fremhæv|uthev|versal|lihav|kursivo|koros|isoilla|pogrub|kursyw|wyróżn|podkreśl|kapitalik|wersalik',
    'wielkimi|tučn|kurzív|zvýrazn|velkými|félkövér|dőlt|kiemel|nagybet|îngroș|kalın|büyük harf|vurgu|đậm|nghiêng|tebal|huruf',
    'жирн|курсив|выдел|заглавн|прописн|подч[её]рк|виділ|великими|έντον|πλάγι|κεφαλαί|غامق|مائل|מודגש|बोल्ड',
    '太字|斜体|強調|下線|大文字|粗体|粗體|斜體|加粗|强调|高亮|标记|標記|下划线|大写|大寫|굵|기울|강조|밑줄|대문자',
  ].join('|'),
  'iu',
);

/** Words by which a text speaks of how it is written. */
export const FORM_WORDS = wordSet(`
  line lines paragraph paragraphs column columns row rows heading headings bullet bullets bold italic italics capital
  capitals uppercase lowercase indented indentation asterisk asterisks starred underlined struck crossed quoted
  quotation brackets parentheses spell spells spelt spelled spelling punctuation apostrophe apostrophes contraction contractions abbreviation
  abbreviations comma commas hyphen hyphens exclamation numeral numerals digit digits
  zeile zeilen absatz absätze spalte spalten überschrift überschriften fett kursiv großbuchstaben kleinbuchstaben eingerückt
  unterstrichen durchgestrichen klammern anführungszeichen
  línea líneas párrafo párrafos columna columnas negrita cursiva mayúsculas minúsculas sangría subrayado comillas
  ligne lignes paragraphe gras italique majuscules riga righe grassetto corsivo maiuscole linha linhas negrito itálico
`);

/** Abbreviations whose full stop ends no sentence. */
export const ABBREVIATIONS = wordSet(`
  dr mr mrs ms prof st sr jr vs etc approx no nr inc ltd dept fig cf eg ie hr fr sra srta
  adm capt cdr cmdr col cpl cpt gen lt maj pfc pvt sgt rev hon gov sen rep pres dir mgr supt insp ave blvd rd mt ft co corp bros
  univ assoc vol ch sec mme mlle dott ing avda
`);
