/**
 * English words whose forms no stemmer brings together: base form, then its other forms. Without "lives" and "leaves", which are
 * mostly forms of "live" and "leave".
 */
const FORMS = `
  arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|become became|begin began begun|bend bent|bet bets
  bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built
  burn burnt|buy bought|catch caught|choose chose chosen|come came|creep crept|deal dealt|dig dug|draw drew drawn
  dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought
  find found|flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven
  freeze froze frozen|get got gotten|give gave given|go went gone goes|grind ground|grow grew grown|hang hung
  hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lay laid|lead led|leap leapt|learn learnt
  leave left|lend lent|light lit|lose lost|make made|mean meant|meet met|pay paid|prove proven|ride rode ridden
  ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|sew sewn|shake shook shaken
  shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid
  speak spoke spoken|spend spent|spin spun|spread spreads|stand stood|steal stole stolen|stick stuck|sting stung
  strike struck stricken|strive strove striven|swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken
  teach taught|tear tore torn|tell told|think thought|throw threw thrown|understand understood|wake woke woken
  wear wore worn|weave wove woven|weep wept|win won|wind wound|write wrote written
  child children|person people|man men|woman women|foot feet|tooth teeth|mouse mice|goose geese|wife wives
  knife knives|shelf shelves|half halves|loaf loaves|wolf wolves|thief thieves
  mom mum mother mommy mummy|dad father daddy|grandma grandmother granny|grandpa grandfather|kid kids kiddo
  bike bicycle bicycles|photo photos photograph photographs pic pics|tv television|phone telephone|fridge refrigerator
  vacation holiday vacations holidays|movie film movies films|favorite favourite|color colour|app application apps applications
`;

/** Irregular form → its base form. Also brings together a few everyday synonyms and spellings. */
export const irregularForms: ReadonlyMap<string, string> = new Map(
  FORMS.split(/[|\n]/).flatMap((line) => {
    const [base = '', ...forms] = line.trim().split(/\s+/);
    return forms.map((form): [string, string] => [form, base]);
  }),
);
