import type { Unit } from './period.ts';

/** How a language speaks of days and of units of time, as expressions over folded text; U stands for a unit, N for a number. */
export interface Wording {
  readonly days: Readonly<Record<string, number>>;
  /** The weekend before the week, whose word it may hold. */
  readonly units: Readonly<Record<Unit, string>>;
  readonly last: string;
  readonly current: string;
  readonly ago: string;
  /** From one on. */
  readonly numbers: string;
}

/** By ISO 639-1 code. English has more to it, and rules of its own. */
export const timeWordings: Readonly<Record<string, Wording>> = {
  de: {
    days: { vorgestern: -2, gestern: -1, heute: 0 },
    units: { day: 'tage?n?', weekend: 'wochenende', week: 'wochen?', month: 'monate?n?', year: 'jahre?n?' },
    last: '(?:letzt|vorig|vergangen)e[mnrs]? U',
    current: 'diese[mnrs]? U',
    ago: 'vor N U',
    numbers: 'eine[mnr]? zwei drei vier funf sechs sieben acht neun zehn',
  },
  es: {
    days: { anteayer: -2, ayer: -1, hoy: 0 },
    units: { day: 'dias?', weekend: 'fin de semana', week: 'semanas?', month: 'mes(?:es)?', year: 'anos?' },
    last: 'U pasad[ao]|pasad[ao] U',
    current: 'est[ae] U',
    ago: 'hace N U',
    numbers: 'una? dos tres cuatro cinco seis siete ocho nueve diez',
  },
  fr: {
    days: { 'avant-hier': -2, hier: -1, "aujourd['’]hui": 0 },
    units: { day: 'jours?', weekend: 'week-end', week: 'semaines?', month: 'mois', year: 'ans?|annees?' },
    last: 'U (?:derniere?|passee?)|derniere? U',
    current: 'ce(?:t|tte)? U',
    ago: 'il y a N U',
    numbers: 'une? deux trois quatre cinq six sept huit neuf dix',
  },
  it: {
    days: { "l['’]altro ieri": -2, ieri: -1, oggi: 0 },
    units: {
      day: 'giorn[io]',
      weekend: 'fine settimana',
      week: 'settiman[ae]',
      month: 'mes[ei]',
      year: 'ann[io]',
    },
    last: 'U (?:scors|passat)[ao]|scors[ao] U',
    current: 'quest[ao] U',
    ago: 'N U fa',
    numbers: 'una? due tre quattro cinque sei sette otto nove dieci',
  },
  pt: {
    days: { anteontem: -2, ontem: -1, hoje: 0 },
    units: { day: 'dias?', weekend: 'fim de semana', week: 'semanas?', month: 'mes(?:es)?', year: 'anos?' },
    last: 'U passad[ao]|ultim[ao] U',
    current: '(?:n?est[ae]|est[ae]) U',
    ago: 'ha N U|N U atras',
    numbers: 'uma? d(?:oi|ua)s tres quatro cinco seis sete oito nove dez',
  },
  nl: {
    days: { eergisteren: -2, gisteren: -1, vandaag: 0 },
    units: {
      day: 'dag(?:en)?',
      weekend: 'weekend',
      week: 'we(?:ek|ken)',
      month: 'maand(?:en)?',
      year: 'ja(?:ar|ren)',
    },
    last: '(?:vorige?|afgelopen) U',
    current: '(?:deze|dit) U',
    ago: 'N U geleden',
    numbers: 'een twee drie vier vijf zes zeven acht negen tien',
  },
  ru: {
    days: { позавчера: -2, вчера: -1, сегодня: 0 },
    units: {
      day: 'д(?:ень|ня|неи)',
      weekend: 'выходн(?:ые|ых)',
      week: 'недел[ьеияю]',
      month: 'месяц(?:е|а|ев)?',
      year: 'год(?:у|а)?|лет',
    },
    last: 'прошл(?:ои|ом|ыи|ую|ые|ых) U',
    current: 'эт(?:ои|ом|от|у) U',
    ago: 'N U назад',
    numbers: 'одну? дв[ае] три четыре пять шесть семь восемь девять десять',
  },
  pl: {
    days: { przedwczoraj: -2, wczoraj: -1, 'dzisiaj|dzis': 0 },
    units: {
      day: 'dzien|dni',
      weekend: 'weekend',
      week: 'tydzien|tygodni[aue]?',
      month: 'miesi(?:ac[aeu]?|ecy)',
      year: 'rok[u]?|lata?',
    },
    last: '(?:zeszl|ubiegl|ostatni|poprzedni)\\p{L}{0,3} U',
    current: 't(?:en|ym|ego) U',
    ago: 'N U temu',
    numbers: 'jeden dwa trzy cztery piec szesc siedem osiem dziewiec dziesiec',
  },
  tr: {
    days: { '(?:evvelsi|onceki) gun': -2, dun: -1, bugun: 0 },
    units: { day: 'gun', weekend: 'hafta sonu', week: 'hafta', month: 'ay', year: 'y[ıi]l|sene' },
    last: '(?:gecen|onceki) U',
    current: 'bu U',
    ago: 'N U once',
    numbers: 'bir iki uc dort bes alt[ıi] yedi sekiz dokuz on',
  },
  ar: {
    days: { 'اول (?:من )?امس': -2, 'امس|البارحة': -1, اليوم: 0 },
    units: {
      day: 'يوما?|ايام',
      weekend: 'نهاية الاسبوع',
      week: '(?:ال)?اسبوعا?|اسابيع',
      month: '(?:ال)?شهرا?|اشهر',
      year: '(?:ال)?(?:سنة|عاما?)|سنوات',
    },
    last: 'U (?:الماضي|السابق|الفائت)ة?',
    current: 'هذ[اه] U',
    ago: '(?:قبل|منذ) N U',
    numbers: 'واحد اثنين ثلاثة? اربعة? خمسة? ستة? سبعة? ثماني?ة? تسعة? عشرة?',
  },
  hi: {
    days: { आज: 0 },
    units: { day: 'दिन', weekend: 'सप्ताहांत', week: 'हफ्त[ेा]|सप्ताह', month: 'महीन[ेा]|माह', year: 'साल|वर्ष' },
    last: 'पिछल[ेा] U',
    current: 'इस U',
    ago: 'N U पहले',
    numbers: 'एक दो तीन चार पा[ँं]च छह सात आठ नौ दस',
  },
  ko: {
    days: { '그저께|그제': -2, 어제: -1, 오늘: 0 },
    units: { day: '일(?= ?전)', weekend: '주말', week: '주', month: '개?월|달', year: '년|해' },
    last: '(?:지난|저번) ?U|작U(?<=년)',
    current: '이번 ?U|올U(?<=해)',
    ago: 'N ?U ?전',
    numbers: '한 두 세 네 다섯 여섯 일곱 여덟 아홉 열',
  },
  zh: {
    days: { 前天: -2, 昨天: -1, 今天: 0 },
    units: {
      day: '天',
      weekend: '[个個]?[周週]末',
      week: '[个個]?(?:[周週]|星期|[礼禮]拜)',
      month: '[个個]?月',
      year: '年',
    },
    last: '上U|去U(?<=年)',
    current: '[这這本]U|今U(?<=年)',
    ago: 'NU[之以]?前',
    numbers: '一 [二两兩] 三 四 五 六 七 八 九 十',
  },
  ja: {
    days: { '一昨日|おととい': -2, '昨日|きのう': -1, '今日|きょう': 0 },
    units: { day: '日', weekend: '週末', week: '週間?', month: '[かヶ]?月', year: '年' },
    last: '先U|[去昨]U(?<=年)',
    current: '今U',
    ago: 'NU前',
    numbers: '一 二 三 四 五 六 七 八 九 十',
  },
};
