import { groups, words } from './word-groups.ts';

/** Places in an order: "the third floor". */
export const ORDINALS = words(`
  first second third fourth fifth sixth seventh eighth ninth tenth erste ersten zweite zweiten dritte dritten vierte vierten
  primer primero segundo tercer tercero cuarto quinto premier deuxieme troisieme quatrieme cinquieme
`);

/** What a number counts or measures, by dimension; two lengths of time can follow each other, a length and a weight cannot. */
export const units: ReadonlyMap<string, string> = groups({
  time: `ms s sec secs second seconds min mins minute minutes h hr hour hours day days week weeks month months year years
    sekunden minuten stunde stunden tag tage wochen monat monate jahr jahre segundos minutos hora horas dia dias semana semanas mes
    meses ano anos secondes heure heures jour jours semaine semaines mois ans an`,
  data: 'kb mb gb tb pb kib mib gib tib bytes byte bit bits',
  length: 'm cm mm km mi mile miles ft feet inch inches meter meters metre metres kilometer kilometers',
  mass: 'kg g mg lb lbs oz pound tonnes ton tons kilo kilos',
  count: 'k mio bn',
  money: `$ € £ ¥ 元 円 usd eur gbp chf dollar dollars euro euros cent cents pounds bucks cent`,
  share: '% percent prozent pct pour-cent',
  frequency: 'hz khz mhz ghz rpm',
  power: 'w kw kwh mw',
  temperature: '°c °f degrees grad',
});

export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  `zero 0 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 ten 10 eleven 11 twelve 12 twenty 20 fifty 50 hundred 100
  zwei 2 drei 3 vier 4 funf 5 sechs 6 sieben 7 acht 8 neun 9 zehn 10 zwolf 12
  dos 2 tres 3 cuatro 4 cinco 5 seis 6 siete 7 ocho 8 nueve 9 diez 10
  deux 2 trois 3 quatre 4 cinq 5 sept 7 huit 8 neuf 9 dix 10`
    .split(/\s+/)
    .flatMap((word, place, all) => (place % 2 === 0 ? [[word, Number(all[place + 1])] as const] : [])),
);

/** Words of dates, by what of a date they name. */
export const dateWords: ReadonlyMap<string, string> = groups({
  weekday: `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
    sundays mon tue tues wed thu thurs fri weekday weekdays weekend weekends
    montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs donnerstags freitags samstags sonntags
    segunda-feira terça-feira quarta-feira quinta-feira sexta-feira segundas terças quartas quintas sextas
    lunedì martedì mercoledì giovedì venerdì domenica maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
    понедельник понедельникам вторник вторникам среда среду средам четверг четвергам пятница пятницу пятницам суббота субботу
    воскресенье воскресеньям poniedziałek poniedziałki wtorek wtorki środa środę środy czwartek czwartki piątek piątki sobota sobotę
    niedziela niedzielę pazartesi salı çarşamba perşembe cuma cumartesi pazar الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد
    lunes martes miercoles jueves viernes sabado domingo lundi mardi mercredi jeudi vendredi samedi dimanche
    月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 月曜 火曜 水曜 木曜 金曜 星期一 星期二 星期三 星期四 星期五 星期六 星期日
    월요일 화요일 수요일 목요일 금요일 토요일 일요일
    周一 周二 周三 周四 周五 周六 周日`,
  month: `january february march april june july august september october november december jan feb mar apr jun jul aug sep sept
    oct nov dec may januar februar marz mai juni juli oktober dezember enero febrero marzo abril mayo junio julio agosto septiembre
    octubre noviembre diciembre janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre janeiro fevereiro maio junho julho
    setembro outubro dezembro gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre januari februari maart juli augustus
    января февраля марта апреля мая июня июля августа сентября октября ноября декабря`,
  season: `spring summer autumn fall winter fruhling fruhjahr sommer herbst primavera verano otono invierno printemps ete automne
    hiver`,
  partOfDay: `morning afternoon evening night noon midnight morgens mittags abends nachts manana tarde noche matin midi soir nuit`,
  relative:
    "오늘 어제 내일 today yesterday tomorrow tonight heute gestern hoy ayer hier aujourd'hui demain 今天 昨天 明天 今日 昨日",
});
