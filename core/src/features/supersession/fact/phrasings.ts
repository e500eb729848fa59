// How a whole text is worded, where no single word tells it.

/** "stretched the budget to $1500", "set the log level to debug" */
export const SET_TO = /(?:^|\s)(?:\p{L}{2,}ed\s(?:[^.;,]*\s)?to\s+[$€£]?\d|set\s[^.;,]*\sto\s\S)/u;
/** What makes a bidding word more than a proposal. */
export const ORDERED =
  /\b(?:from now on|going forward|from here on|ab jetzt|ab sofort|von nun an|künftig|a partir de ahora|desde ahora)\b/i;
/** What somebody is quoted with is theirs. */
export const QUOTING = /:\s*["“„«「]/u;
/** "Wrong: the port is 3000"; in Japanese what was not done, is not wanted, or is hearsay, by how the sentence ends. */
export const NOT_SO =
  /(?:らしい|かもしれ\p{L}*|たくない|たくありません|ませんでした)[。.!！]*$|^(?:wrong|incorrect|false|not\strue|falsch|falso|faux)\s?[:!]/iu;
/** "This week the meeting is at 14"; but "today the meeting moved to 14" goes on. */
export const FOR_A_WHILE =
  /^(?:(?:this|next)\s(?:week|month|time)|today|tonight|tomorrow|heute|morgen|(?:diese|nächste)\sWoche|hoy|mañana|esta\ssemana|cette\ssemaine|aujourd'hui|demain|今天|明天|这周|今日|明日|今週)(?!\p{L})/iu;
/** "Lena is on call next week" */
export const NEXT_PERIOD =
  /(?<!\p{L})(?:next\s(?:week|weekend|month|quarter|year|term)|(?:nächste[rns]?|kommende[rns]?)\s(?:Woche|Wochenende|Monat|Jahr)|(?:la\s(?:próxima\ssemana|semana\sque\sviene)|el\s(?:próximo\s(?:mes|año)|(?:mes|año)\sque\sviene))|la\ssemaine\sprochaine|le\smois\sprochain|l'année\sprochaine|la\sprossima\ssettimana|volgende\s(?:week|maand)|下周|下个月|来週|来月)/iu;
/** "this morning", "last night"; but "every morning", "at night" */
export const ONE_PART_OF_DAY =
  /(?<!\p{L})(?:this|that|last|yesterday|tomorrow|heute|gestern|vorgestern|diesen?|letzten?|esta|ayer|ce|cette|hier|demain)\s(?:morning|afternoon|evening|night|noon|midnight|früh|morgen|vormittag|mittag|nachmittag|abend|nacht|mañana|tarde|noche|matin|midi|soir|nuit)(?!\p{L})/iu;
/** "One of my friends", "some users" */
export const PARTIAL =
  /^(?:(?:one|two|some|half|many|most|several|a\sfew|few)\s\p{L}+|an?\s\p{L}+\sof\s(?:mine|ours|his|hers|theirs)|einer?\s(?:meiner|unserer|der|von)|einige|manche|viele|die\shälfte|algun[oa]s|un[oa]\sde|certaine?s|une?\sde\s(?:mes|nos)|有的|有些|一些|部分)(?!\p{L})/iu;
/** What "we" do in verbs of their own: "dejamos Slack", "on a remplacé Ansible" */
export const WE_DO =
  /^on\s(?:a|est|utilise|fait|passe|va|n['’])\s|(?:^|\s)(?!(?:ú?u?ltim|m[aá]xim|m[ií]nim|pr[oó]xim|[oó]ptim|tram|gram|ram)os)\p{Ll}{2,}[aei]mos(?!\p{L})/iu;
